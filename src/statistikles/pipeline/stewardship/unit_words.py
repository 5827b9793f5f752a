"""The words a unit is written with in headers and cells, and how sure each is to be a unit at all.

Definitions and conversions are pint's; this table only says which spellings count, so that no ordinary word is
taken for a unit (pint would read "group_a" as years). A *weak* spelling (`g`, `m`, `in`, `min`) also means other
things and counts only beside a word of its dimension, or inside brackets.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["COMPOUND_TAILS", "KNOWN", "QUANTITY_WORDS", "Known", "find"]


@dataclass(frozen=True, slots=True)
class Known:
    """One unit: how we print it, what pint calls it, and its dimension in a word."""

    label: str
    pint: str
    dimension: str


# label | pint | dimension | sure spellings | weak spellings. Case matters (mg is not Mg).
_ROWS = """
kg|kilogram|mass|kg kgs kilogram kilograms kilo kilos|
g|gram|mass|gram grams gr|g
mg|milligram|mass|mg milligram milligrams|
µg|microgram|mass|µg μg ug mcg microgram micrograms|
ng|nanogram|mass|nanogram nanograms|ng
pg|picogram|mass|picogram picograms|pg
Mg|megagram|mass|megagram megagrams|Mg
t|tonne|mass|tonne tonnes|t
lb|pound|mass|lb lbs pounds|pound
oz|ounce|mass|ounces ounce|oz
stone|stone|mass|stones stone|
m|meter|length|metre metres meter meters|m
km|kilometer|length|km kms kilometre kilometres kilometer kilometers|
cm|centimeter|length|cm cms centimetre centimetres centimeter centimeters|
mm|millimeter|length|mm mms millimetre millimetres millimeter millimeters|
µm|micrometer|length|µm μm um micron microns|
nm|nanometer|length|nanometre nanometres nanometer nanometers|nm
in|inch|length|inch inches|in
ft|foot|length|ft feet|foot
yd|yard|length|yards|yd yard
mi|mile|length|mile miles|mi
s|second|time|sec secs seconds|s second
ms|millisecond|time|msec millisecond milliseconds|ms
µs|microsecond|time|µs μs usec microseconds|us
min|minute|time|mins minutes|min minute
h|hour|time|hr hrs hours|h hour
days|day|time|days|d day
weeks|week|time|weeks wks|wk week
months|month|time|months|mo month
years|year|time|years yrs|yr y year a
°C|degree_Celsius|temperature|°C ℃ degC deg_C celsius Celsius|C
°F|degree_Fahrenheit|temperature|°F ℉ degF deg_F fahrenheit Fahrenheit|F
K|kelvin|temperature|kelvin Kelvin|K
L|liter|volume|litre litres liter liters|L l
mL|milliliter|volume|mL ml cc millilitre millilitres milliliter milliliters|
dL|deciliter|volume|dL dl|
µL|microliter|volume|µL μL uL µl μl|
fL|femtoliter|volume|fL|
m³|meter**3|volume|m³ m^3|m3
cm³|centimeter**3|volume|cm³ cm^3 cm3|
gal|gallon|volume|gallon gallons|gal
m²|meter**2|area|m² m^2 sqm|m2
cm²|centimeter**2|area|cm² cm^2 cm2|
mm²|millimeter**2|area|mm² mm^2 mm2|
km²|kilometer**2|area|km² km^2 km2 sqkm|
ft²|foot**2|area|ft² ft^2 sqft|ft2
ha|hectare|area|hectare hectares|ha
acres|acre|area|acres|acre
km/h|kilometer/hour|speed|km/h kmh kph km/hr|
mph|mile/hour|speed|mph|
m/s|meter/second|speed|m/s|
mi/gal|mile/gallon|consumption|mpg mi/gal|
kn|knot|speed|knots|kn kt kts
Pa|pascal|pressure|pascal pascals|Pa
hPa|hectopascal|pressure|hPa mbar|
kPa|kilopascal|pressure|kPa|
mmHg|millimeter_Hg|pressure|mmHg mmhg|
bar|bar|pressure||bar
psi|psi|pressure|psi|
J|joule|energy|joule joules|J
kJ|kilojoule|energy|kJ|
kcal|kilocalorie|energy|kcal|
cal|calorie|energy|calories|cal
kWh|kilowatt_hour|energy|kWh kwh|
MWh|megawatt_hour|energy|MWh|
W|watt|power|watt watts|W
kW|kilowatt|power|kW|
MW|megawatt|power||MW
hp|horsepower|power|horsepower|hp
V|volt|voltage|volt volts|V
mV|millivolt|voltage|mV|
A|ampere|current|ampere amperes amps|A
mA|milliampere|current|mA|
Hz|hertz|frequency|Hz hz hertz|
kHz|kilohertz|frequency|kHz khz|
MHz|megahertz|frequency|MHz mhz|
GHz|gigahertz|frequency|GHz ghz|
bpm|count/minute|frequency|bpm|
rpm|count/minute|frequency|rpm|
mol|mole|amount|mole moles|mol
mmol|millimole|amount|mmol|
µmol|micromole|amount|µmol μmol umol|
nmol|nanomole|amount|nmol|
mM|millimole/liter|concentration||mM
µM|micromole/liter|concentration|µM μM|uM
ppm|ppm|ratio|ppm|
ppb|1e-9|ratio|ppb|
%|percent|percent|% pct percent percentage|
°|degree|angle|° degrees|deg
rad|radian|angle|radian radians|rad
N|newton|force|newton newtons|N
kN|kilonewton|force|kN|
B|byte|information|byte bytes|B
kB|kilobyte|information|kB KB|kb
MB|megabyte|information|MB|mb
GB|gigabyte|information|GB gb|
TB|terabyte|information|TB|
$|dollar|currency|$ USD usd US$ dollars|dollar
€|euro|currency|€ EUR eur euros|euro
£|pound_sterling|currency|£ GBP gbp|
¥|yen|currency|¥ JPY jpy yen|
CHF|swiss_franc|currency|CHF chf|
INR|rupee|currency|INR inr rupees ₹|
IU|international_unit|activity|IU|
dB|decibel|level|dB|
beats|count|number|beats|
thousand|1e3|number|thousand thousands|
million|1e6|number|million millions|
billion|1e9|number|billion billions|
"""

# Underscores or blanks stand for the division bar in these well-worn pairs: `glucose_mg_dl`.
COMPOUND_TAILS: dict[str, str] = {
    "mg_dl": "mg/dL",
    "g_dl": "g/dL",
    "mmol_l": "mmol/L",
    "umol_l": "µmol/L",
    "mg_l": "mg/L",
    "g_l": "g/L",
    "ug_l": "µg/L",
    "ng_ml": "ng/mL",
    "ug_ml": "µg/mL",
    "mg_ml": "mg/mL",
    "mg_kg": "mg/kg",
    "ug_kg": "µg/kg",
    "ug_m3": "µg/m³",
    "kg_m2": "kg/m²",
    "kg_m3": "kg/m³",
    "g_cm3": "g/cm³",
    "w_m2": "W/m²",
    "km_h": "km/h",
    "m_s": "m/s",
    "ml_min": "mL/min",
    "l_min": "L/min",
    "kg_ha": "kg/ha",
}

# Words of a header that name the dimension of what was measured, so that a weak spelling can be believed.
QUANTITY_WORDS: dict[str, frozenset[str]] = {
    dimension: frozenset(words.split())
    for dimension, words in {
        "mass": "mass weight wt bodyweight birthweight bwt load tare carcass biomass yield dose",
        "length": (
            "length height ht width depth distance dist diameter dbh dia radius circumference altitude elevation "
            "thickness stature wingspan perimeter waist hip chest elev len span displacement"
        ),
        "time": (
            "time duration latency rt reaction delay elapsed interval wait waiting runtime uptime followup survival "
            "dwell lag period age tenure stay sleep"
        ),
        "temperature": "temp temperature tmax tmin tavg tmean dewpoint temps",
        "volume": "volume vol capacity fev fvc tidal discharge intake displacement",
        "area": "area surface size ba bsa acreage footprint plot floor",
        "speed": "speed velocity wind gust",
        "pressure": "pressure press stress tension",
        "energy": "energy work heat intake kcal",
        "power": "power output wattage load",
        "voltage": "voltage volt potential emf",
        "current": "current amperage",
        "force": "force thrust load weight grip",
        "angle": "angle direction bearing heading slope latitude longitude lat lon azimuth tilt wind rotation",
        "amount": "amount substance",
        "concentration": "concentration conc level",
        "information": "size memory storage bytes file disk traffic",
        "currency": "price cost income salary revenue sales budget fare wage spend amount value",
    }.items()
}


def _build() -> tuple[dict[str, Known], dict[str, Known]]:
    sure: dict[str, Known] = {}
    weak: dict[str, Known] = {}
    for line in _ROWS.strip().splitlines():
        label, pint, dimension, certain, doubtful = line.split("|")
        known = Known(label, pint, dimension)
        sure |= dict.fromkeys(certain.split(), known)
        weak |= dict.fromkeys(doubtful.split(), known)
    return sure, weak


_SURE, _WEAK = _build()
KNOWN: dict[str, Known] = {unit.label: unit for unit in (*_SURE.values(), *_WEAK.values())}
_FOLDED: dict[str, set[Known]] = {}
for _spelling, _unit in (*_SURE.items(), *_WEAK.items()):
    _FOLDED.setdefault(_spelling.casefold(), set()).add(_unit)


def find(token: str, *, shouted: bool = False) -> tuple[Known, bool] | None:
    """The unit a spelling stands for and whether it is sure; None when it is none.

    `shouted`: the header is all capitals, so that case says nothing; a token counts when it has one reading.
    """
    if token in _SURE:
        return _SURE[token], True
    if token in _WEAK:
        return _WEAK[token], False
    meant = _FOLDED.get(token.casefold(), set())
    if not meant or not (shouted or (len(token) > 1 and token.istitle())):
        return None
    if len(meant) > 1:  # MG is mg or Mg: the usual spelling may be meant, if a word beside it says so
        usual = {_SURE[token.casefold()]} if token.casefold() in _SURE else set()
        return (next(iter(usual)), False) if usual else None
    return next(iter(meant)), token.casefold() in _SURE
