internal import Fovea
