def check(suite): pass
