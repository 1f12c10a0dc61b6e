"""What reads rows and judges them: docs/design.md has the modules, and which may import which."""
