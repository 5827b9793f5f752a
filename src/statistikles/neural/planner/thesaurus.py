"""Words that mean the same in data tables: synonym rings, abbreviations of column names, ordinals. Data only."""

from __future__ import annotations

from functools import cache

__all__ = ["ABBREVIATIONS", "GROUP_WORDS", "ORDINALS", "SYNONYMS", "forms_of", "word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set, so that long word lists stay readable."""
    return frozenset(text.split())


# One ring a line; single words; every word of a ring can stand for every other. Broad on purpose: people,
# families, work, money, trade, health, schools, houses, weather, travel, sport, nature, machines.
_RINGS = """
sex gender
woman women female girl girls lady ladies
man men male boy boys gentleman
child children kid kids offspring
teen teenager teenagers adolescent adolescents
baby infant newborn
parent parents parental
mother mothers mom mum maternal
father fathers dad paternal
guardian caregiver carer
wife husband spouse partner
marital marriage married
status situation condition state arrangement
family families household
home household house
cohabitation living cohabiting
person people individual individuals participant participants respondent subject
customer client buyer shopper consumer
patient patients
student students pupil pupils learner
teacher teachers instructor
employee worker workers staff
job occupation profession employment work career
salary wage wages pay earnings income
income earnings revenue
revenue sales turnover proceeds
sale sales selling
sold purchased bought sale
price cost costs fee charge charges
expense expenses spending spent expenditure spend
amount quantity sum volume
discount deal deals bargain promotion
campaign promotion
offer offers
accept accepted acceptance acceptances approve approved approval
response respond reaction reply responded
complaint complaints complain complained
purchase purchases bought buy buying
store stores shop shops
web website online internet
internet web online
catalog catalogue catalogs
visit visits visiting
budget spending funds
advertising advertisement ads ad adverts marketing
wine wines
fish seafood
meat meats
sweet sweets candy confectionery
fruit fruits
gold
recency since
education educational schooling school studies study academic
education degree qualification
grade grades mark marks score scores
test exam examination
math maths mathematics
class classes course lesson lessons
failure failures failed fail
absence absences absent missed
reason reasons motive motives motivation motivations rationale factor
nursery preschool kindergarten
romantic dating love romance
support help assistance aid
travel commute journey trip
alcohol drinking drink
smoke smoking smoker smokers cigarette cigarettes tobacco
health healthy wellbeing
disease illness condition disorder
cancer tumor tumour
ache pain
cough coughing
breath breathing breathe
shortness trouble difficulty difficulties problem problems
swallow swallowing
tired fatigue tiredness exhaustion
anxiety anxious anxiousness nervousness
allergy allergies allergic
wheeze wheezing
yellow yellowed yellowish yellowing
pressure influence
blood
heart cardiac
cholesterol lipid
sugar glucose
fasting
angina
exercise workout physical
maximum highest peak max
minimum lowest min
average mean typical
weight mass heaviness
height tall tallness
length long
width wide breadth
size sizes
depth deep
body
bill beak
age ages old older aged
year years annual yearly
birth born
month monthly months
week weekly weeks
weekend
day daily days
hour hours hourly
minute minutes
time times
annual yearly anu
rain rainfall precipitation
temperature temp heat warmth
humidity humid
wind windy
district region area
address residence residential residency dwelling
region area zone territory
city town urban
country nation
village rural countryside
location place site position
latitude
longitude
distance far proximity
station stop
convenience
tree trees
species kind type
type kind category sort class
real natural genuine
fake artificial
game games
title name
genre category
platform console
publisher company
review rating reviews ratings critic
rank ranking position
score rating points
global worldwide world
number count num many quantity
wage compensation
insurance coverage
charge charges bill
passenger passengers
fare fares ticket
survive survived survival survivor survivors
die died death deaths dead mortality
embark embarked embarkation boarded boarding
cabin cabins
class pclass
sibling siblings sibsp brother sister brothers sisters
car vehicle automobile auto
speed velocity
fuel gas petrol mileage mpg
engine motor
treatment therapy intervention drug arm
dose dosage
placebo control
relapse recurrence
event status outcome
salary compensation
hit hits
run runs
walk walks
error errors mistake mistakes
win wins victory victories
loss losses defeat
open opening
close closing closed
high highest
low lowest
volume trading
population inhabitants residents
gdp
leave leaves leaving leaver leavers left quit quits attrition turnover churn churned resigned
return returns returned
respond response responder responders responded respondent
relapse relapsed recurrence
warm warmth temperature
crime offense offence crimes
agent agents
call calls
wait waiting
answer answered
abandon abandoned abandonment
department departments
duration length
satisfaction satisfied happy happiness
quality
relationship relationships relation relations
friend friends
free leisure spare
activity activities
extracurricular extra
higher further
shoes footwear
colour color
sleep sleeping asleep
hours hrs
stay
"""

_ABBREVIATIONS = """
num number count
nr number
cnt count number
mnt amount
amt amount
qty quantity
avg average mean
mean average
std deviation
sd deviation
max maximum highest
min minimum lowest
pct percent percentage
perc percent percentage
temp temperature
hum humidity
dist distance district
bp pressure blood
sbp systolic pressure
dbp diastolic pressure
hr heart rate hour
ecg electrocardiogram electrocardiographic
bmi body mass index
bs blood sugar
wt weight
ht height
yr year
yrs years
mo month
dob birth
dt date
lat latitude
lon longitude
lng longitude
pop population
dept department
desc description
addr address
grp group
cat category
cmp campaign
ad advertising advertisement
tv television
inc income
rev revenue
edu education
occ occupation
sup support
rel relationship relations
stat status
temp temperature
med medical medicine
vol volume
wkly weekly
cyl cylinders
hp horsepower
mpg mileage
disp displacement
qsec
sibsp siblings spouses
parch parents children
pclass class
anu annual yearly
jan january
feb february
mar march
apr april
jun june
jul july
aug august
sep september
oct october
nov november
dec december
ht height
dbh diameter
ba basal area
vp velocity
gr gamma ray
phi porosity
"""

ORDINALS = {
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "fifth": "5",
    "sixth": "6",
    "1st": "1",
    "2nd": "2",
    "3rd": "3",
    "4th": "4",
    "5th": "5",
    "6th": "6",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
}

# Nouns that name the rows themselves or a value of a group: "women" asks for the column that holds sexes.
GROUP_WORDS = {
    "woman": ("female", "f", "w", "woman", "women"),
    "women": ("female", "f", "w", "woman", "women"),
    "men": ("male", "m", "man", "men"),
    "female": ("female", "f", "w", "woman", "women"),
    "girl": ("female", "f", "girl", "girls"),
    "man": ("male", "m", "man", "men"),
    "male": ("male", "m", "man", "men"),
    "boy": ("male", "m", "boy", "boys"),
    "smoker": ("yes", "smoker", "1", "true"),
    "survivor": ("1", "yes", "survived", "alive", "true"),
}


@cache
def _rings() -> dict[str, frozenset[int]]:
    from statistikles.neural.planner.words import stem

    found: dict[str, set[int]] = {}
    for number, line in enumerate(_RINGS.strip().splitlines()):
        for word in line.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


class _Synonyms:
    """Stem -> numbers of the rings it belongs to; built on first use."""

    def get(self, word: str) -> frozenset[int]:
        """The rings of a stem, empty when it is in none."""
        return _rings().get(word, frozenset())


SYNONYMS = _Synonyms()
ABBREVIATIONS: dict[str, tuple[str, ...]] = {
    line.split()[0]: tuple(line.split()[1:]) for line in _ABBREVIATIONS.strip().splitlines()
}


@cache
def forms_of(stemmed: str) -> tuple[str, ...]:
    """The words that can stand for a stem, itself left out."""
    mine = SYNONYMS.get(stemmed)
    if not mine:
        return ()
    lines = _RINGS.strip().splitlines()
    return tuple(dict.fromkeys(word for number in sorted(mine) for word in lines[number].split()))
