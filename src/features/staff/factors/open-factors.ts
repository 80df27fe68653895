/** Second factors, put together. */
import type { Frames } from '../../../db/frame.ts';
import type { Cipher } from '../../../encryption.ts';
import type { OwnAddress } from '../../../own-address.ts';
import type { TwoHandsOffers } from '../../two-hands/two-hands-feature.ts';
import type { Challenges } from '../challenges.ts';
import type { Guessing } from '../guessing.ts';
import type { StaffFactors } from '../open/factors.ts';
import type { Sessions } from '../sessions.ts';
import type { SignIn } from '../sign-in.ts';
import { createFactorsService } from './factors-service.ts';
import { createOwnFactorsService, type OwnFactorsService } from './own-factors-service.ts';
import { createPasskeyChecks } from './passkey-checks.ts';
import { createFactorProofs } from './prove-factor.ts';
import { createRecoveryDigests } from './recovery-codes.ts';

interface Parts {
  frames: Frames;
  cipher: Cipher;
  pepper: Buffer;
  ownAddress: OwnAddress;
  challenges: Challenges;
  guessing: Guessing;
  sessions: Sessions;
  signIn: SignIn;
  twoHands: TwoHandsOffers;
}

export function openFactors(parts: Parts): { factors: StaffFactors; ownFactors: OwnFactorsService } {
  const checks = createPasskeyChecks(parts.ownAddress);
  const recoveryDigest = createRecoveryDigests(parts.pepper);
  const proofs = createFactorProofs({ ...parts, checks, recoveryDigest });
  return {
    factors: createFactorsService({ ...parts, proofs }),
    ownFactors: createOwnFactorsService({ ...parts, checks, recoveryDigest }),
  };
}
