"""Questions in everyday words over the fresh tables, each with the method and the columns a statistician would take.

(table, question, method, columns, what the filter or the formula must hold). A method is a tool, or tool/type; several
acceptable ones are separated by `|`.
"""

from __future__ import annotations

__all__ = ["FIRST"]

T, MW = "t_test/independent", "nonparametric_test/mann_whitney"
AOV, KW = "anova", "nonparametric_test/kruskal_wallis"
CHI, R = "chi_square/independence", "correlation"
D, F = "descriptive_statistics", "frequency_analysis"
NORM, FIT = "test_assumptions/normality", "test_assumptions/distribution"
LEV, OUT = "test_assumptions/levene", "test_assumptions/outliers"
REG, LOG = "regression", "logistic_regression"
PAIR, ONE = "t_test/paired", "t_test/one_sample"
MH, PART = "chi_square/mantel_haenszel", "correlation/partial"

Question = tuple[str, str, str, str, str]

FIRST: tuple[Question, ...] = (
    # groups
    ("iris", "Does petal length differ between the three species?", AOV, "petal_length species", ""),
    ("iris", "Do setosa and virginica differ in sepal width?", T, "sepal_width species", "setosa"),
    ("iris", "Which species has the longest petals on average?", f"{D}|{AOV}", "petal_length species", ""),
    ("staff", "Do men earn more than women?", f"{T}|{MW}", "salary gender", ""),
    ("staff", "Is there a gender pay gap?", f"{T}|{MW}", "salary gender", ""),
    ("staff", "Are the people in Sales paid less than those in Engineering?", T, "salary department", "Engineering"),
    ("staff", "Compare overtime across departments", AOV, "overtime_hours department", ""),
    ("staff", "Do leavers have shorter service than those who stayed?", T, "years_service left_company", ""),
    ("staff", "Is satisfaction different for remote and on-site staff?", f"{T}|{MW}", "satisfaction remote", ""),
    ("trial", "Did the drug lower systolic blood pressure after treatment compared with placebo?", T, "sbp_after arm", ""),
    ("trial", "Are smokers heavier than non-smokers?", T, "weight_kg smoker", ""),
    ("trial", "Mann-Whitney test of weight by centre please", MW, "weight_kg centre", ""),
    ("weather", "Is Rome warmer than Oslo?", T, "temp_c city", "Rome"),
    ("weather", "Is the wind equally strong in the three cities?", AOV, "wind_kmh city", ""),
    ("orders", "Do web orders bring in more revenue than store orders?", T, "revenue channel", ""),
    ("orders", "Does the quantity ordered vary by region?", AOV, "quantity region", ""),
    ("cancer", "Is the mean radius larger in malignant than in benign tumours?", T, "mean radius diagnosis", ""),
    ("cancer", "Kruskal-Wallis on mean texture by diagnosis", f"{KW}|{MW}", "mean texture diagnosis", ""),
    ("wine", "Do the cultivars differ in alcohol content?", AOV, "alcohol cultivar", ""),
    ("wine", "Is proline the same in all three cultivars?", AOV, "proline cultivar", ""),
    ("diabetes", "Do men and women have the same body mass index?", T, "bmi sex", ""),
    ("diabetes", "Is disease progression worse in females?", T, "progression sex", ""),
    # pairs and fixed values
    ("trial", "Did blood pressure change from before to after treatment?", PAIR, "sbp_before sbp_after", ""),
    ("trial", "Paired comparison of sbp_before and sbp_after in the drug arm", PAIR, "sbp_before sbp_after", "drug"),
    ("trial", "Is the average weight different from 80 kg?", ONE, "weight_kg", ""),
    ("staff", "Is mean overtime above 5 hours?", ONE, "overtime_hours", ""),
    ("iris", "Are sepals longer than petals on the same flower?", PAIR, "sepal_length petal_length", ""),
    # associations
    ("iris", "How strongly are petal length and petal width related?", R, "petal_length petal_width", ""),
    ("iris", "correlation sepal length sepal width for setosa", R, "sepal_length sepal_width", "setosa"),
    ("longley", "Does unemployment go up with population?", R, "unemployed population", ""),
    ("longley", "Spearman correlation between GNP and employed", f"{R}/spearman", "GNP employed", ""),
    ("staff", "Is age related to salary?", R, "age salary", ""),
    ("staff", "Do older employees earn more?", f"{R}|{REG}", "age salary", ""),
    ("staff", "Correlate salary with years of service, controlling for age", PART, "salary years_service age", ""),
    ("staff", "Is the link between bonus and salary still there when age is held constant?", PART, "bonus salary age", ""),
    ("weather", "Is humidity associated with rainfall?", R, "humidity rain_mm", ""),
    ("weather", "Kendall's tau between wind and rain", f"{R}/kendall", "wind_kmh rain_mm", ""),
    ("wine", "Relationship between flavanoids and total phenols?", R, "flavanoids total_phenols", ""),
    ("diabetes", "Does bmi correlate with disease progression among women?", R, "bmi progression", "F"),
    ("diabetes", "partial correlation of bmi and progression given age", PART, "bmi progression age", ""),
    ("fair", "Are years married and number of affairs correlated?", R, "yrs_married affairs", ""),
    ("anes", "Is education associated with income?", R, "educ income", ""),
    ("staff", "Is leaving the company associated with gender?", CHI, "left_company gender", ""),
    ("staff", "Does turnover differ between departments?", CHI, "left_company department", ""),
    ("trial", "Are responders more common on the drug than on placebo?", CHI, "responder arm", ""),
    ("trial", "Is response to treatment independent of smoking?", CHI, "responder smoker", ""),
    ("trial", "Is response associated with arm after stratifying by centre?", MH, "responder arm centre", ""),
    ("trial", "Association of smoking and relapse, adjusting for centre", MH, "smoker relapsed centre", ""),
    ("orders", "Are returns more frequent for web orders?", CHI, "returned channel", ""),
    ("orders", "Chi-square test of region and returned", CHI, "region returned", ""),
    # prediction
    ("staff", "Predict salary from age and years of service", REG, "salary age years_service", ""),
    ("staff", "How much does salary increase per year of service?", REG, "salary years_service", ""),
    ("staff", "Regress salary on age, service and department", REG, "salary age years_service department", ""),
    ("staff", "What predicts leaving the company: age, salary or overtime?", LOG, "left_company age salary overtime_hours", ""),
    ("trial", "Logistic regression of responder on arm and age", LOG, "responder arm age", ""),
    ("cancer", "Can mean radius and mean texture predict the diagnosis?", LOG, "mean radius mean texture diagnosis", ""),
    ("diabetes", "linear model for progression with bmi, bp and s5", REG, "progression bmi bp s5", ""),
    ("longley", "Explain employed by GNP and population", REG, "employed GNP population", ""),
    ("wine", "Fit a regression of alcohol on color intensity", REG, "alcohol color_intensity", ""),
    ("trial", "Compare sbp_after between arms adjusting for sbp_before", REG, "sbp_after arm sbp_before", ""),
    ("weather", "Model temperature by humidity and city", REG, "temp_c humidity city", ""),
    # descriptions
    ("staff", "What is the average salary?", D, "salary", ""),
    ("staff", "avg salary of women over 40", D, "salary", "gender"),
    ("staff", "median salry per department", D, "salary department", ""),
    ("staff", "Give me the 90th percentile of overtime hours", D, "overtime_hours", ""),
    ("staff", "How skewed is overtime?", D, "overtime_hours", ""),
    ("staff", "standard deviation of bonus for each gender", D, "bonus gender", ""),
    ("weather", "mean temp in Cairo", D, "temp_c", "Cairo"),
    ("weather", "What was the highest wind speed?", D, "wind_kmh", ""),
    ("weather", "average rainfall by city", D, "rain_mm city", ""),
    ("weather", "What's the mean temperature in 2022?", D, "temp_c", "2022"),
    ("orders", "Total revenue per region", D, "revenue region", ""),
    ("orders", "What is the interquartile range of the unit price?", D, "unit_price", ""),
    ("orders", "Summarise revenue", D, "revenue", ""),
    ("orders", "What is the typical quantity in web orders?", D, "quantity", "web"),
    ("fair", "What is the kurtosis of affairs?", D, "affairs", ""),
    ("wine", "Describe the magnesium values of cultivar B", D, "magnesium", "B"),
    ("diabetes", "variance of bmi", D, "bmi", ""),
    ("iris", "What is the mean and median petal width for each species?", D, "petal_width species", ""),
    # counts and shares
    ("staff", "How many people work in each department?", F, "department", ""),
    ("staff", "How many women are there in Engineering?", F, "", "Engineering"),
    ("staff", "What percentage of staff left the company?", F, "left_company", ""),
    ("staff", "What share of women left?", F, "left_company", "female"),
    ("staff", "most common department", F, "department", ""),
    ("trial", "How many patients are older than 60?", F, "", "60"),
    ("trial", "What proportion of patients are smokers?", F, "smoker", ""),
    ("orders", "How many orders were returned?", F, "returned", ""),
    ("orders", "Count the orders per channel", F, "channel", ""),
    ("anes", "What is the most frequent value of vote?", f"{F}|{D}", "vote", ""),
    ("staff", "How many values of salary are missing?", F, "salary", "missing"),
    ("staff", "percent missing in salary", F, "salary", "missing"),
    # distributions
    ("iris", "Is sepal length normally distributed?", NORM, "sepal_length", ""),
    ("diabetes", "Check whether bmi follows a bell curve", NORM, "bmi", ""),
    ("staff", "Does overtime follow an exponential distribution?", FIT, "overtime_hours", ""),
    ("weather", "Could wind speed come from a gamma distribution?", FIT, "wind_kmh", ""),
    ("orders", "Is the unit price log-normal?", FIT, "unit_price", ""),
    ("staff", "Is age uniformly distributed?", FIT, "age", ""),
    ("iris", "Are the distributions of sepal length and petal length the same?", "nonparametric_test/ks_2sample", "sepal_length petal_length", ""),
    ("iris", "Is the variance of petal length equal across species?", LEV, "petal_length species", ""),
    ("weather", "Does temperature spread differ between the cities?", LEV, "temp_c city", ""),
    ("orders", "Are there outliers in revenue?", OUT, "revenue", ""),
    ("orders", "How many outliers does unit price have by the z-score rule?", OUT, "unit_price", ""),
    ("staff", "mean overtime without outliers (IQR)", D, "overtime_hours", "within_iqr"),
    ("staff", "What is the average bonus after removing values beyond 3 standard deviations?", D, "bonus", "within_z"),
    # defined columns
    ("iris", "What is the mean ratio of petal length to petal width?", D, "petal_length petal_width", "/"),
    ("trial", "Let drop = sbp_before - sbp_after. Does drop differ between the arms?", T, "sbp_before sbp_after arm", "-"),
    ("trial", "What is the average difference between sbp_before and sbp_after?", f"{D}|{PAIR}", "sbp_before sbp_after", ""),
    ("orders", "How long does shipping take on average, in days between order_date and ship_date?", D, "order_date ship_date", "days_between"),
    ("staff", "Is log salary normally distributed?", NORM, "salary", "log"),
    ("staff", "Correlation between log of overtime hours and age", R, "overtime_hours age", "log"),
    ("staff", "How many employees fall into the age groups 20-34, 35-49 and 50+?", F, "age", "cut"),
    ("weather", "mean of temp_c + wind_kmh", D, "temp_c wind_kmh", "+"),
    ("staff", "Mean salary after filling missing values with the median", D, "salary", "fill"),
    ("orders", "Create a column called total by multiplying unit_price and quantity and report its median", D, "unit_price quantity", "*"),
    ("orders", "price per item = revenue / quantity; is price per item different between web and store?", T, "revenue quantity channel", "/"),
    # special
    ("trial", "Does time to relapse differ between the arms?", "survival_analysis/log_rank", "days_to_relapse relapsed arm", ""),
    ("trial", "How many patients do I need to detect a medium effect with 80% power?", "sample_size_calculator", "", ""),
    ("trial", "Kaplan-Meier curve of days to relapse", "survival_analysis/kaplan_meier", "days_to_relapse relapsed", ""),
)
