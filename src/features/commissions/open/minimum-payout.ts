/** The least that is paid out where the plan names nothing. Source: docs/specification/payouts.md#minimum. */
import { currencyDigits } from '../../../money.ts';

export interface MinimumPayout {
  amountMinor: bigint;
  source: 'plan' | 'built_in';
}

/** Major units, each about the worth of 50 US dollars. A currency without a stable worth is left out. */
const BUILT_IN: Readonly<Record<string, number>> = {
  AED: 180,
  ALL: 4_500,
  AMD: 20_000,
  AOA: 45_000,
  ARS: 60_000,
  AUD: 75,
  AZN: 85,
  BAM: 90,
  BBD: 100,
  BDT: 6_000,
  BGN: 90,
  BHD: 20,
  BND: 65,
  BOB: 350,
  BRL: 250,
  BSD: 50,
  BTN: 4_000,
  BWP: 650,
  BZD: 100,
  CAD: 70,
  CHF: 45,
  CLP: 45_000,
  CNY: 350,
  COP: 200_000,
  CRC: 25_000,
  CZK: 1_100,
  DKK: 350,
  DOP: 3_000,
  DZD: 6_500,
  EGP: 2_500,
  ETB: 6_500,
  EUR: 50,
  FJD: 110,
  GBP: 40,
  GEL: 130,
  GHS: 600,
  GTQ: 400,
  GYD: 10_000,
  HKD: 400,
  HNL: 1_250,
  HUF: 15_000,
  IDR: 500_000,
  ILS: 180,
  INR: 4_000,
  ISK: 6_500,
  JMD: 8_000,
  JOD: 35,
  JPY: 5_000,
  KES: 6_500,
  KHR: 200_000,
  KRW: 50_000,
  KWD: 15,
  KZT: 25_000,
  LAK: 1_000_000,
  LKR: 15_000,
  MAD: 500,
  MDL: 850,
  MGA: 225_000,
  MKD: 2_800,
  MNT: 170_000,
  MOP: 400,
  MUR: 2_300,
  MXN: 900,
  MYR: 200,
  MZN: 3_200,
  NAD: 900,
  NGN: 75_000,
  NIO: 1_800,
  NOK: 500,
  NPR: 6_500,
  NZD: 80,
  OMR: 20,
  PAB: 50,
  PEN: 180,
  PHP: 2_500,
  PKR: 14_000,
  PLN: 200,
  PYG: 350_000,
  QAR: 180,
  RON: 220,
  RSD: 5_000,
  RWF: 70_000,
  SAR: 180,
  SEK: 500,
  SGD: 65,
  THB: 1_500,
  TND: 150,
  TRY: 2_000,
  TTD: 340,
  TWD: 1_500,
  TZS: 130_000,
  UAH: 2_000,
  UGX: 180_000,
  USD: 50,
  UYU: 2_000,
  UZS: 600_000,
  VND: 1_250_000,
  XAF: 30_000,
  XCD: 135,
  XOF: 30_000,
  ZAR: 900,
  ZMW: 1_200,
};

/** In minor units; undefined for a currency that has none. */
export function builtInMinimumMinor(currency: string): bigint | undefined {
  const major = BUILT_IN[currency];
  return major === undefined ? undefined : BigInt(major) * 10n ** BigInt(currencyDigits(currency));
}

/** What counts for a currency, by the `minimumPayoutMinor` of the plan; undefined: nothing is paid until a plan names it. */
export function minimumPayout(ofPlan: Readonly<Record<string, number>> | undefined, currency: string): MinimumPayout | undefined {
  const named = ofPlan?.[currency];
  if (named !== undefined) return { amountMinor: BigInt(named), source: 'plan' };
  const builtIn = builtInMinimumMinor(currency);
  return builtIn === undefined ? undefined : { amountMinor: builtIn, source: 'built_in' };
}
