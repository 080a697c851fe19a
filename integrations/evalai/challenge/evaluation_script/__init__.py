from .main import evaluate  # noqa: F401
