/** Groups of countries that laws name (ISO 3166). */
export const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
/** Parts of France that have codes of their own, by which a CDN names them. */
export const FRANCE = 'FR GF GP MF MQ RE YT'.split(' ')
/** EU-27 with what belongs to it overseas (Treaty on the Functioning of the EU, Art. 355(1) and (4)), IS, LI, NO. */
export const EEA = [...new Set([...EU, ...FRANCE, 'AX', 'IS', 'LI', 'NO'])]
