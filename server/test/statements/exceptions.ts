import type { Recorded } from './recorded.ts';

const asksForNoSchool = (text: string) => !/school_id"? = /.test(text);
const ofSeveralSchools = (text: string) => /school_id"? = ANY\(/.test(text);

/** Statements over all schools on purpose (docs/operations.md, Citus). */
const exceptions: readonly {
  readonly why: string;
  readonly from?: RegExp;
  readonly is?: (text: string) => boolean;
}[] = [
  { why: 'verify proves the whole installation', from: /scores\/verify-ledger/ },
  { why: 'a backup holds the whole installation', from: /src\/backup\// },
  {
    why: 'housekeeping goes over all schools, some at a time',
    is: (text) => text.startsWith('delete from') && ofSeveralSchools(text),
  },
  { why: 'calls of all schools, stored together behind the requests', from: /http\/audit-log/ },
  {
    why: 'super administrators read the activity of all schools',
    from: /administrators\/activity/,
    is: asksForNoSchool,
  },
  {
    why: 'super administrators read the calls of all schools',
    is: (text) => /from "audit_record"( as "a")?/.test(text) && asksForNoSchool(text),
  },
  {
    why: 'super administrators list those of all schools',
    from: /administrators\/list-administrators/,
    is: ofSeveralSchools,
  },
  {
    why: 'super administrators list credentials of all schools',
    from: /access\/credential|features\/credentials/,
    is: ofSeveralSchools,
  },
  {
    why: 'super administrators issue credentials without naming the school',
    from: /features\/credentials/,
    is: (text) => /^select "school_id" from "(class|grade)" where "id" = /.test(text),
  },
  {
    why: 'no school is known before a sign-in that names none',
    from: /students\/student-login|sign-in-providers\/sign-in-choices/,
    is: asksForNoSchool,
  },
];

/** Returns why a statement is allowed to span all schools, or undefined. */
export const exceptionFor = ({ text, from }: Recorded): string | undefined =>
  exceptions.find((each) => (each.from?.test(from) ?? true) && (each.is?.(text) ?? true))?.why;
