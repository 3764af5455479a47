"""Plans are made with a model's help: the scripted endpoint of the planner's tests serves these too."""

from tests.pandas_magic.planner.model.conftest import _no_settings_of_others as _no_settings_of_others
from tests.pandas_magic.planner.model.conftest import configured as configured
from tests.pandas_magic.planner.model.conftest import model_of as model_of
from tests.pandas_magic.planner.model.conftest import serve as serve
from tests.pandas_magic.planner.model.conftest import workspace_with as workspace_with
