# random.awk: Park and Miller's random numbers, which every awk computes alike; before the program
# that draws them.
# usage: awk -f random.awk -f PROGRAM.awk

# seeded: begin the numbers of a seed, a whole number; the first ones of small seeds are small, and
# left out
function random_seeded(seed,   i) {
	state = 1 + seed % 2147483646
	for (i = 0; i < 8; i++)
		random_uniform()
}

# uniform: in (0, 1)
function random_uniform() {
	state = state * 16807 % 2147483647
	return state / 2147483647
}

# below: a whole number from 0 to n - 1
function random_below(n) {
	return int(random_uniform() * n)
}
