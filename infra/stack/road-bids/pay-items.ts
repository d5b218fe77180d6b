/** A pay item of a road department: its code, its name, and the unit as each of the three lettings spells it. */
export type PayItem = Readonly<{
  code: string
  name: string
  units: readonly [string, string, string]
  /** Middle of the bids, US cents per unit. */
  cents: number
}>

/** All invented; the spellings are those that US road departments print. */
export const PAY_ITEMS: readonly PayItem[] = [
  { code: '105-06845', name: 'CONSTRUCTION ENGINEERING', units: ['LSUM', 'LS', 'L.S.'], cents: 4_500_000 },
  { code: '110-01001', name: 'MOBILIZATION AND DEMOBILIZATION', units: ['LSUM', 'LUMP', 'LS'], cents: 18_000_000 },
  { code: '201-52370', name: 'CLEARING RIGHT OF WAY', units: ['ACRE', 'AC', 'ACR'], cents: 850_000 },
  { code: '202-02240', name: 'PAVEMENT REMOVAL', units: ['SYS', 'SQYD', 'SY'], cents: 1_450 },
  { code: '203-02000', name: 'EXCAVATION COMMON', units: ['CYS', 'CUYD', 'CY'], cents: 1_900 },
  { code: '205-12616', name: 'SILT FENCE', units: ['LFT', 'LNFT', 'LF'], cents: 310 },
  { code: '207-08266', name: 'SUBGRADE TREATMENT', units: ['SYS', 'SQYD', 'SYD'], cents: 1_120 },
  { code: '211-09265', name: 'STRUCTURE BACKFILL', units: ['CYS', 'CUYD', 'CYD'], cents: 5_400 },
  { code: '301-07448', name: 'COMPACTED AGGREGATE BASE', units: ['TON', 'TONS', 'TN'], cents: 3_150 },
  { code: '306-08033', name: 'MILLING ASPHALT', units: ['SYS', 'SQ YD', 'SY'], cents: 380 },
  { code: '401-07321', name: 'HMA SURFACE COURSE', units: ['TON', 'TONS', 'TN'], cents: 9_800 },
  { code: '406-05520', name: 'TACK COAT', units: ['GAL', 'GALS', 'GAL.'], cents: 420 },
  { code: '503-05240', name: 'PAVEMENT JOINT D-1', units: ['LFT', 'LNFT', 'FT'], cents: 1_900 },
  { code: '601-02250', name: 'GUARDRAIL W-BEAM', units: ['LFT', 'LIN FT', 'LF'], cents: 3_400 },
  { code: '604-06070', name: 'SIDEWALK CONCRETE', units: ['SFT', 'SQFT', 'SF'], cents: 1_250 },
  { code: '610-08446', name: 'MAILBOX ASSEMBLY', units: ['EACH', 'EA', 'EA.'], cents: 28_500 },
  { code: '616-02320', name: 'REVETMENT RIPRAP', units: ['TON', 'TONS', 'TN'], cents: 5_900 },
  { code: '621-06567', name: 'WATER FOR SEEDING', units: ['M.G.', 'MGAL', 'MG'], cents: 1_000 },
  { code: '621-06575', name: 'MULCHED SEEDING', units: ['SYS', 'SQYD', 'SY'], cents: 95 },
  { code: '628-09407', name: 'FIELD OFFICE', units: ['MOS', 'MONTH', 'MO'], cents: 210_000 },
  { code: '702-51005', name: 'CONCRETE STRUCTURE CLASS C', units: ['CFT', 'CUFT', 'CF'], cents: 3_900 },
  { code: '703-06028', name: 'REINFORCING BARS', units: ['LBS', 'LB', 'LB.'], cents: 165 },
  { code: '711-90020', name: 'TREATED TIMBER', units: ['MFBM', 'MBM', 'MFBM'], cents: 650_000 },
  { code: '712-04415', name: 'SODIUM CHLORIDE', units: ['CWT', 'CWT.', 'CWT'], cents: 1_400 },
  { code: '801-06207', name: 'TRAFFIC FLAGGING', units: ['HOUR', 'HR', 'HRS'], cents: 7_200 },
  { code: '801-06640', name: 'CONSTRUCTION SIGN RENTAL', units: ['DAY', 'DAYS', 'DAY'], cents: 850 },
  { code: '808-06716', name: 'CENTERLINE RUMBLE STRIP', units: ['MI', 'MILE', 'MILES'], cents: 145_000 },
  { code: '808-75245', name: 'PAVEMENT LAYOUT STAKING', units: ['STA', 'STA.', 'STA'], cents: 6_500 },
  { code: '109-08440', name: 'QUALITY ADJUSTMENT ALLOWANCE', units: ['DOL', 'DOLL', 'DOL'], cents: 100 },
  // Near twins: another type, class, depth or action of otherwise equal names.
  { code: '401-07322', name: 'HMA SURFACE TYPE C', units: ['TON', 'TONS', 'TN'], cents: 10_400 },
  { code: '401-07323', name: 'HMA SURFACE TYPE D', units: ['TON', 'TONS', 'TN'], cents: 12_900 },
  { code: '502-06328', name: 'CONCRETE PAVEMENT 8 IN', units: ['SYS', 'SQYD', 'SY'], cents: 6_900 },
  { code: '502-06329', name: 'CONCRETE PAVEMENT 10 IN', units: ['SYS', 'SQYD', 'SY'], cents: 8_300 },
  { code: '607-06275', name: 'PAVED SIDE DITCH C', units: ['LFT', 'LNFT', 'LF'], cents: 4_800 },
  { code: '607-06276', name: 'PAVED SIDE DITCH D', units: ['LFT', 'LNFT', 'LF'], cents: 7_200 },
  { code: '202-02279', name: 'PAVED SIDE DITCH C REMOVE', units: ['LFT', 'LNFT', 'LF'], cents: 1_500 },
  { code: '702-51015', name: 'CONCRETE STRUCTURE CLASS A', units: ['CFT', 'CUFT', 'CF'], cents: 3_100 },
  { code: '715-05149', name: 'PIPE TYPE 2 CIRCULAR 12 IN', units: ['LFT', 'LNFT', 'LF'], cents: 5_100 },
  { code: '715-05152', name: 'PIPE TYPE 2 CIRCULAR 18 IN', units: ['LFT', 'LNFT', 'LF'], cents: 6_700 },
  { code: '720-44073', name: 'INLET N13', units: ['EACH', 'EA', 'EA.'], cents: 410_000 },
  { code: '720-44030', name: 'INLET H1', units: ['EACH', 'EA', 'EA.'], cents: 290_000 },
]
