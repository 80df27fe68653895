/** What the routes of pages work with. */
import type { Request, Response } from 'express';
import type { Frames } from '../../db/frame.ts';
import type { Invoke } from '../../http/invoke.ts';
import type { CountAddress } from '../../http/rate-limit.ts';
import type { TenantPlaces } from '../../http/tenant-places.ts';
import type { OwnAddress } from '../../own-address.ts';
import type { Assets } from '../../pages/asset-files.ts';
import type { Page } from '../../pages/define-page.ts';
import type { FormTokens } from './form-tokens.ts';
import type { Answers } from './page-answers.ts';
import type { Notices } from './page-cookies.ts';
import type { People } from './people.ts';
import type { Waiting } from './waiting.ts';

export interface PageDeps {
  pages: readonly Page[];
  people: People;
  invoke: Invoke;
  frames: Frames;
  places: TenantPlaces;
  ownAddress: OwnAddress;
  assets: Assets;
  policy: string;
  tokens: FormTokens;
  notices: Notices;
  answers: Answers;
  /** Of a person's requests for pages. */
  countPerson(staffId: string): Promise<void>;
  /** Of requests without a session. */
  countStranger(req: Request, res: Response): Promise<void>;
  /** Of whatever is sent on the way in, right or wrong: a right password costs as much to look at as a wrong one. */
  countWayIn: CountAddress;
  /** What waits, for the numbers in the navigation. */
  waiting: Waiting;
}
