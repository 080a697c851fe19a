"""Calls as people write them, for the type checker: what is marked must be an error of its kind, everything else none."""
import lossleak as ll

found = ll.audit("log_loss", rows=2201, decimals=5, queries=200, prior=[0.7, 0.3], noise="gaussian:0.1")
answer: str = found.answer
ll.defend("f1", rows="20k", queries=300, share=0.6)
ll.audit("log_loss", rowz=3)  # type: ignore[call-arg]
ll.audit("log_loss", rows=[1])  # type: ignore[arg-type]
ll.plan("log_loss", rows=3, noise=0.5)  # type: ignore[arg-type]
