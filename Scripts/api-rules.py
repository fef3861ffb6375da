"""What Docs/openapi.yaml says in words because no schema can say it, as hooks of Schemathesis.

Cases that are meant to be valid are made valid in these respects, so that whatever the server refuses of them is a fault
of the document. Scripts/fuzz-api runs it.
"""

import os
import re
import time
import uuid

import requests
import schemathesis

V7 = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", re.IGNORECASE)
API = os.environ["TRENDY_API"]


def fresh_id(seed=None):
    """An id of this moment: one may not be of the future."""
    bits = (int(time.time() * 1000) << 80) | (uuid.UUID(seed).int if seed else uuid.uuid4().int) & ((1 << 76) - 1)
    return str(uuid.UUID(int=bits & ~(0xF << 76) & ~(3 << 62) | (7 << 76) | (2 << 62)))


def signed_in():
    return {"Authorization": "Bearer " + os.environ["TRENDY_TOKEN"]}


def type_id():
    """An event type that is there: records that a reference names exist."""
    body = {"id": fresh_id(), "name": "fuzz " + uuid.uuid4().hex, "color": "#3B82F6", "icon": "circle.fill"}
    return requests.post(API + "/event-types", json=body, headers=signed_in(), timeout=10).json()["id"]


def made_valid(value, key=None):
    if isinstance(value, dict):
        made = {name.replace("\0", ""): made_valid(part, name) for name, part in value.items()}
        if made.get("type") in ("url", "email") and isinstance(made.get("value"), str):
            # What counts as a blank a pattern does not say as Unicode does.
            made["value"] = "a:b" if made["type"] == "url" else "a@b"
        # A default is of the property's type, coordinates come together, and an end is not before its start.
        for name in ("default_value", "end_date"):
            if name in made:
                del made[name]
        pair = ["location_latitude", "location_longitude"]
        if any(name in made for name in pair) and any(made.get(name) is None for name in pair):
            made[pair[0]] = made[pair[1]] = None
        if made.get("operation") in ("create", "update") and isinstance(made.get("data"), dict):
            made["data"].pop("id", None)
        return made
    if isinstance(value, list):
        return [made_valid(part, key) for part in value]
    if not isinstance(value, str):
        return value
    if key == "id" and V7.match(value):
        return fresh_id(value)
    if key == "event_type_id":
        return type_id()
    if key in ("geofence_id", "event_type_entry_id", "event_type_exit_id", "healthkit_sample_id"):
        return None
    if key in ("password", "new_password"):
        return "kilogram of feathers " + uuid.uuid4().hex
    return value.replace("\0", "")


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or case.meta.generation.mode.name != "POSITIVE":
        return
    if case.headers and "Idempotency-Key" in case.headers:
        # A key is for one request.
        case.headers["Idempotency-Key"] = uuid.uuid4().hex
    if isinstance(case.body, (dict, list)):
        case.body = made_valid(case.body)
        if case.operation.path.endswith("/properties"):
            case.body.pop("event_type_id", None)
        if case.method == "PUT" and "property-definitions" in case.operation.path:
            # A property that is chosen from options has some, also after an edit.
            for name in ("property_type", "options"):
                case.body.pop(name, None)
        if case.operation.path.endswith("/sync"):
            # A cursor and a base are what the server gave, and belong to an epoch.
            case.body["cursor"] = case.body["epoch"] = None
            for mutation in case.body.get("mutations", []):
                mutation["base"] = 0
