say("sem", sd * sqrt(1 - reliability))
say("std_error_of_estimation", sd * sqrt(reliability * (1 - reliability)))
say("std_error_of_difference", sd * sqrt(2 * (1 - reliability)))
