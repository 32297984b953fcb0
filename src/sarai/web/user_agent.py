"""A rough name of a browser, by what it says of itself, so that people know their sessions apart."""

BROWSERS = (  # the first that occurs: many say they are others, too
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """Return the browser and the system, as far as they are known: "Firefox, Linux"; empty for a program."""
    found = [next((name for part, name in names if part in user_agent), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))
