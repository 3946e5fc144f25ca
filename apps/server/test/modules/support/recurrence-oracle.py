"""Reads recurrence rules from stdin, a JSON array, and prints when each has its meetings, by dateutil and zoneinfo.

dateutil knows no gaps: it yields wall-clock times that a gap skips, too. zoneinfo reads such times with the offset
before the gap, and repeated ones as the first (fold=0), as RFC 5545 section 3.3.5 requires.
"""
import datetime as datetime_module
import json
import sys
import warnings
from datetime import datetime, timezone
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

warnings.simplefilter("ignore")  # COUNT beside the bound on time
datetime_module.MAXYEAR = 2030  # as far as it looks for the first meeting of a rule that has none


def expand(case):
    start = datetime.fromisoformat(case["start"])
    horizon = datetime.fromisoformat(case["horizon"])
    rule = rrulestr(case["rule"], dtstart=start).replace(until=horizon)
    zone = ZoneInfo(case["timeZone"])
    walls = list(islice(rule, case["atMost"]))
    instants = {int(wall.replace(tzinfo=zone).astimezone(timezone.utc).timestamp()) for wall in walls}
    return {"walls": len(walls), "instants": sorted(instants)}


print(json.dumps([expand(case) for case in json.load(sys.stdin)]))
