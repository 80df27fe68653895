/** A commission line as the API shows it to a tenant. */
import { toJsonInteger } from '../../../money.ts';
import type { NamedLine } from './commission-line.ts';

export function commissionBody(line: NamedLine) {
  const { beneficiaryId, reversesLineId, legId: _leg, clearedJournalId: _journal, conversion, ...rest } = line;
  return {
    ...rest,
    userId: beneficiaryId,
    flatMinor: line.flatMinor === null ? null : toJsonInteger(line.flatMinor),
    baseMinor: toJsonInteger(line.baseMinor),
    amountMinor: toJsonInteger(line.amountMinor),
    sourceAmountMinor: conversion && toJsonInteger(conversion.amountMinor),
    sourceCurrency: conversion?.currency ?? null,
    exchangeRateId: conversion?.exchangeRateId ?? null,
    cappedMinor: toJsonInteger(line.cappedMinor),
    reversesCommissionId: reversesLineId,
  };
}
