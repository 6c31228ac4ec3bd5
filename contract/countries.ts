/** Groups of countries that laws name (ISO 3166). */
export const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
/** EU-27, Iceland, Liechtenstein, Norway. */
export const EEA = [...EU, 'IS', 'LI', 'NO']
