/**
 * A page: its address, what its reader may do, what it shows and what its forms do. It asks for data by operations
 * alone. docs/pages.md says how to add one.
 */
import type { z } from 'zod';
import type { Environment } from '../db/scope.ts';
import type { InvokedFile, Said } from '../http/invoke.ts';
import type { SentFile } from '../http/multipart.ts';
import type { Operation } from '../http/operation.ts';
import type { FormValues } from './form-values.ts';
import type { Formats } from './format.ts';
import type { Drawn, Html } from './html.ts';
import type { IconName } from './icons.ts';
import type { FormLook } from './parts/form.ts';

export const NAV_GROUPS = ['People', 'Money', 'Developers', 'Tenant'] as const;
export type NavGroup = (typeof NAV_GROUPS)[number];

/** An operation, whose scope the reader's role must hold, or a scope. */
// biome-ignore lint/suspicious/noExplicitAny: an operation of any types.
export type Need = Operation<any, any, any, any> | `${string}:${string}`;

/** The person who is signed in. */
export interface Person {
  id: string;
  name: string;
  email: string;
  role: string;
  hasFactor: boolean;
  hasFreshFactor: boolean;
}

export interface PageTenant {
  id: string;
  slug: string;
  name: string;
  currency: string;
  timeZone: string;
}

type Query = Readonly<Record<string, string | number | undefined>>;

export interface PageContext {
  /** Of the address: `/members/:userId` has `userId`. */
  params: Readonly<Record<string, string>>;
  /** Of the address; of what stands there twice the first. */
  query: Readonly<Record<string, string | undefined>>;
  environment: Environment;
  person: Person;
  tenant: PageTenant;
  /** The origin of the service, as the reader's browser reaches it: `https://…`. */
  ownOrigin: string;
  /** The time that money goes by: in a SANDBOX that of its clock. */
  now: Date;
  format: Formats;
  /** The address of another page in the same environment: `at('/members', {q: 'ida'})`. */
  at(path: string, query?: Query): string;
  /** This page's own address with its query, in which `query` replaces some. */
  here(query?: Query): string;
  /** An address that the service gave out as its own, as the reader's browser reaches it; any other stays as it is. */
  reachable(address: string): string;
  /** Whether there is a page at this path, as `/members/01a2…`, that the reader may open. */
  opens(path: string): boolean;
  /** Whether the reader's role has what each of these needs. */
  can(...needs: readonly Need[]): boolean;
  /**
   * Calls an operation that the page declares in `needs`, `uses` or in an action. Throws what the API would answer;
   * the frame makes a message or an error page of it.
   */
  invoke<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    operation: Operation<P, Q, B, R>,
    said?: Said,
  ): Promise<z.output<R>>;
  /** The same where the reader may; undefined where not. */
  invokeIfAllowed<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    operation: Operation<P, Q, B, R>,
    said?: Said,
  ): Promise<z.output<R> | undefined>;
  /** The same as `invoke` of an operation that consumes a file: the one that the form has sent. */
  invokeUpload<Q extends z.ZodType, R extends z.ZodType>(
    operation: Operation<z.ZodType, Q, z.ZodType, R>,
    said: Pick<Said, 'query'>,
    file: SentFile,
  ): Promise<z.output<R>>;
  /** The same as `invoke` of an operation that answers with a file. */
  invokeFile<P extends z.ZodType, Q extends z.ZodType>(
    operation: Operation<P, Q, z.ZodType, z.ZodString>,
    said?: Said,
  ): Promise<InvokedFile>;
  /** The form of an action of this page; nothing where the reader may not do it. */
  form(action: string, form: Omit<FormLook, 'id'> & OfForm): Html;
  /** The id of the part that a script of ours asks for alone; undefined for the whole page. */
  part: string | undefined;
}

export interface OfForm {
  /** What the form sends beside its fields. */
  hidden?: Readonly<Record<string, string>>;
  /** Tells the forms of one action apart that stand on one page, as the id of the row. */
  key?: string;
}

export interface PageView {
  /** Default: the page's. */
  title?: string;
  /** A line below the title. */
  lead?: Drawn;
  /** The way here, without the page itself. */
  crumbs?: readonly { label: string; href: string }[];
  /** What stands behind the crumbs, as the id of the thing. */
  crumb?: Drawn;
  /** Beside the title: links and buttons. */
  actions?: Drawn;
  body: Drawn;
  /** Modules of src/pages/browser that the page needs, by name; `htmx` too. */
  scripts?: readonly string[];
}

/** What a page answers: itself, one part of itself, data for a script of ours, or where to go. */
export type PageAnswer = PageView | { part: Html } | { json: unknown } | { redirect: string };

/**
 * Where an action leads: to an address with a word of what was done; to what no address shows, with the status of what was
 * refused; to a part of the page that a script of ours asks for; or to a file.
 */
export type ActionAnswer =
  | { to: string; said?: string }
  | { shownOnce: PageView; status?: number }
  | { part: Html }
  | { file: InvokedFile };

export interface PageAction {
  /** Without them there is neither the form nor the deed. */
  needs: readonly Need[];
  /** Operations that it calls too where the reader may. */
  uses?: readonly Need[];
  run(page: PageContext, form: FormValues): Promise<ActionAnswer>;
}

export interface Page {
  /** Behind /dashboard/{slug}/{environment}: '' or '/members/:userId'. */
  path: string;
  title: string;
  /** Its place in the navigation; absent for pages that one comes to by others. */
  nav?: {
    /** Null stands above the groups. */
    group: NavGroup | null;
    icon: IconName;
    /** The key behind `g`. */
    key?: string;
    /** The field of the overview's `waiting` that is counted beside it. */
    waiting?: string;
  };
  /** The page of the navigation that it belongs to, by path; for pages without a place of their own. */
  below?: string;
  /** Default both. */
  environments?: readonly Environment[];
  /** All of these, or the page is neither shown nor opened. */
  needs: readonly Need[];
  /** Operations that it calls where the reader may. */
  uses?: readonly Need[];
  /** The names of a list's filters in the address: they can be saved under a name. */
  filters?: readonly string[];
  /** Its forms may have a file, as their last field. */
  takesFile?: true;
  get(page: PageContext): Promise<PageAnswer>;
  actions?: Readonly<Record<string, PageAction>>;
}

/** Keeps the types of the parts; adds nothing at run time. */
export function definePage(page: Page): Page {
  return page;
}
