"""Which model a test means: plain, unless it names another."""
BUILDING = ("train", "evaluate", "tune")


def plain(words):
    """The words of a command line, with --model plain where they build a model and name none."""
    words = [str(word) for word in words]
    if words and words[0] in BUILDING and "--model" not in words:
        words[1:1] = ["--model", "plain"]
    return words
