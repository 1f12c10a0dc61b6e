"""normal.py html|json: standard input in a form that equal pages, or equal values, share."""
import html.parser
import json
import re
import sys


class Page(html.parser.HTMLParser):
    """Prints a tag or a text a line, attributes in order, white space in texts as one blank."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text = ""

    def end_text(self):
        text = re.sub(r"\s+", " ", self.text).strip()
        if text:
            print(text)
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.end_text()
        print("<" + " ".join([tag] + [f'{k}="{v}"' for k, v in sorted(attrs)]) + ">")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        self.end_text()
        print(f"</{tag}>")

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.end_text()
        print(f"<!--{data}-->")


def values(text):
    """Prints the JSON values in a text; a whole number is the same with and without a point."""
    def number(text):
        return int(float(text)) if float(text).is_integer() else float(text)

    decoder = json.JSONDecoder(parse_float=number)
    at = 0
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
            print(json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False))
        except json.JSONDecodeError:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            print("no JSON: " + text[at:end])
            at = end
        while at < len(text) and text[at].isspace():
            at += 1


if sys.argv[1] == "html":
    page = Page()
    page.feed(sys.stdin.read())
    page.close()
    page.end_text()
else:
    values(sys.stdin.read().lstrip())
