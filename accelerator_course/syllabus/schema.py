"""The shape of a file: quiz.schema.yaml, or another of its kind, held against it by jsonschema."""

import sys

from accelerator_course import syllabus


def errors(content, shape="quiz.schema"):
    """What is wrong with the shape, one by one: jsonschema's errors that explain it best (absolute_path, message)."""
    jsonschema = _jsonschema()
    if jsonschema is None:
        return ()
    validator = jsonschema.Draft202012Validator(syllabus.load(shape))
    return (jsonschema.exceptions.best_match([error]) for error in validator.iter_errors(content))


def _jsonschema():
    """jsonschema without its checks of web addresses, which we do not use: their grammars take two seconds to build."""
    kept = sys.modules.setdefault("rfc3987_syntax", None)  # None: an import of it fails, and jsonschema does without
    try:
        import jsonschema
    except ModuleNotFoundError:  # in a browser, where only the course's own files are read
        return None
    finally:
        if kept is None:
            del sys.modules["rfc3987_syntax"]
    return jsonschema
