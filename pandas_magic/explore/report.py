"""What an exploration gives: the report, to be shown, kept and compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pandas_magic.errors import PandasMagicError
from pandas_magic.explore.confined.drift import drift_since
from pandas_magic.explore.details import Details, ProbeResult
from pandas_magic.explore.page import fragment, page
from pandas_magic.explore.report_content import ReportContent
from pandas_magic.explore.report_document import ReportDocument
from pandas_magic.state import make_folder, write_whole

REPORT_MIMETYPE = "application/vnd.pandas-magic.eda+json"


@dataclass(frozen=True)
class Report(ReportContent):
    """The report of one table, in a notebook, as a page, as files."""

    def to_html(self) -> str:
        """The report as one HTML page that needs nothing else: no script, no network."""
        return page(self)

    def compare(self, earlier: Report) -> ProbeResult:
        """What changed since an earlier report, from their histograms and categories."""
        verdict, summary, facts = drift_since(earlier.facts(), self.facts())
        subject = [entry["column"] for entry in facts["columns"]]
        return ProbeResult(probe="drift", subject=tuple(subject), verdict=verdict, summary=summary, facts=facts)

    def save(self, folder: Path) -> Path:
        """Write JSON, page and pictures below `folder`/artifacts/<run_id>, and give that folder."""
        place = folder / "artifacts" / self.run_id
        for picture in self.pictures:
            write_whole(place / f"{picture.name}.svg", picture.svg)
        write_whole(place / "report.json", self.to_json())
        details = self.details.model_dump(mode="json")
        write_whole(place / "details.json", json.dumps(details, indent=2, ensure_ascii=False) + "\n")
        write_whole(place / "report.html", self.to_html())
        return place

    def save_png(self, folder: Path) -> list[Path]:
        """Write every picture as a PNG file into the folder. Raises: UsageMistake when Matplotlib is not installed."""
        from pandas_magic.explore.drawing.png import png_of

        make_folder(folder)
        made = {folder / f"{picture.name}.png": png_of(picture.svg) for picture in self.pictures}
        for path, content in made.items():
            path.write_bytes(content)
        return list(made)

    @classmethod
    def load(cls, place: Path) -> Self:
        """A report that was saved, without its pictures: to compare with.

        Raises: PandasMagicError when there is none.
        """
        try:
            document = ReportDocument.model_validate_json((place / "report.json").read_text(encoding="utf-8"))
            details = Details.model_validate_json((place / "details.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise PandasMagicError(f"{place} holds no report of ours: {str(error).splitlines()[0]}") from error
        return cls(place.name, document, details)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {
            REPORT_MIMETYPE: self.to_dict(),
            "text/html": fragment(self),
            "text/plain": f"EDA of {self.table}\n\n{self.summary.text}",
        }
