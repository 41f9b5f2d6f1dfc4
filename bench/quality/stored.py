"""Stored figures: JSON by data set and method, written anew after each run so that none is lost."""
import json
import os


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, results):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(results, file, indent=0, sort_keys=True)
        file.write("\n")
    os.replace(path + ".new", path)
