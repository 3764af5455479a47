"""jupyter_kernel_test on the confined kernel, and on plain ipykernel, which keeps no history by number here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import kernel_sandbox

PROGRAM = """
import json, sys, unittest, warnings
warnings.simplefilter("ignore")
import jupyter_kernel_test

class IPythonKernel(jupyter_kernel_test.KernelTests):
    kernel_name = sys.argv[1]
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    completion_samples = [{"text": "zi", "matches": {"zip"}}]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\\n  return x*2\\n\\n\\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\\n  x*2"]
    invalid_code_samples = ["import = 7q"]
    code_page_something = "zip?"
    code_generate_error = "raise ValueError('x')"
    code_execute_result = [{"code": "1+2+3", "result": "6"}, {"code": "[n*n for n in (1, 2)]", "result": "[1, 4]"}]
    code_display_data = [
        {"code": "from IPython.display import HTML, display; display(HTML('<b>x</b>'))", "mime": "text/html"},
        {"code": "from IPython.display import Math, display; display(Math('x'))", "mime": "text/latex"},
    ]
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"

result = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromTestCase(IPythonKernel).run(result)
names = lambda pairs: sorted(str(test).split()[0] for test, _ in pairs)
failed, skipped = names(result.failures + result.errors), names(result.skipped)
print(json.dumps({"run": result.testsRun, "failed": failed, "skipped": skipped}))
"""


def outcome(kernel_name: str, tmp_path: Path) -> str:
    kernels = tmp_path / "jupyter" / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    spec = Path(kernel_sandbox.__file__).parent / "kernelspec"
    if not (kernels / "confined-python").exists():
        (kernels / "confined-python").symlink_to(spec)
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM, kernel_name],
        env=os.environ | {"JUPYTER_PATH": str(tmp_path / "jupyter")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.splitlines()[-1]


def test_the_confined_kernel_passes_every_test_that_plain_ipykernel_runs(tmp_path: Path) -> None:
    plain = json.loads(outcome("python3", tmp_path))
    confined = json.loads(outcome("confined-python", tmp_path))

    assert confined == {"run": plain["run"], "failed": [], "skipped": []}
