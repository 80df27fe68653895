/** Referral codes and links for the fuzzer; some links may be deleted. */
import { mostlyOwn, type PlantSeeds } from '../../support/openapi/feature-seeds.ts';
import { plantSpareLinks, referralsOf } from './matrix.ts';

export const seeds: PlantSeeds = async (ground) => ({
  code_id: mostlyOwn(ground, 12, (side) => referralsOf(side).codeId),
  link_id: [
    ...mostlyOwn(ground, 0, (side) => referralsOf(side).linkId),
    ...(await plantSpareLinks(ground.world.app, ground.side, 60)),
  ],
});
