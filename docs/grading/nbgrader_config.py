"""nbgrader's settings for this course: copy this file into the folder of your course.

A release keeps the stubs as they are, which hold no solution that would have to be taken out.
"""

c = get_config()  # noqa: F821 (nbgrader hands it in)

c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
]
