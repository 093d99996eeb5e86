import Type, { type Static, type TSchema } from 'typebox';
import { limits } from './limits.ts';

/**
 * The kinds of values that the wire knows. These annotations steer how raw input is read before it is
 * checked (see the server's `http/input.ts`); the documents put them in words:
 * - `x-trim`: surrounding white space is removed first;
 * - `x-fallback`: a value outside the enumeration counts as absent;
 * - `x-any-case`: capitals count as small letters;
 * - `x-empty`: of a query parameter: an empty value is not taken for an absent one;
 * - `x-instant`: a date-time becomes an instant, a date the one at the start or the end of that day.
 * Three more are for the documents:
 * - `x-characters`: says a pattern in words;
 * - `x-served-at-most`: more is taken, and served as so much;
 * - `x-one-of`: fields of which at least one is needed; the rule checks it.
 */

/**
 * Any text that the database can hold: no NUL character, no half of a surrogate pair. Documents say it in words,
 * because generators compile patterns without the `u` flag, and then these refuse good names.
 */
export const anyText = { pattern: '^[^\\u0000\\ud800-\\udfff]*$', 'x-characters': 'Any characters but NUL.' };

/** A schema or null. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** A schema with what its field means. */
export function is<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

/** Integer ids are positive and fit a JavaScript number exactly. */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [7],
  description: 'Id, unique among its kind.',
});

/** An instant as UTC ISO 8601 with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-09-01T08:00:00.000Z'] });

export const Text = Type.String();
export const Count = Type.Integer({ minimum: 0 });
export const Score = Type.Integer();

/** Which administrator it was. */
export const NamedAdmin = Type.Object({ id: Id, username: is(Text, 'Login name.') });

/** Of an account, as its owner sees it. */
export const MustChangePassword = Type.Boolean({
  description:
    'Whether someone else gave out the password: pages ask for one of your own before anything else. The API keeps answering.',
});

/** Fields that many records have. */
export const SchoolId = is(Id, 'Id of the school.');
export const SchoolName = is(Text, 'Name of the school.');
export const GradeId = is(Id, 'Id of the grade.');
export const GradeName = is(Text, 'Name of the grade.');
export const ClassId = is(Id, 'Id of the class.');
export const ClassName = is(Text, 'Name of the class.');
export const UserId = is(Id, 'Id of the student.');
export const LoginName = is(Text, 'Login name, unique in the school.');
export const ActualName = is(Text, 'The name of the person.');
export const ShownName = is(Text, 'Name to show.');
export const CreatedAt = is(Timestamp, 'When it was created.');
export const UpdatedAt = is(
  Timestamp,
  'When one of its own fields was last changed. Points and what belongs to it do not count.',
);
export const OccurredAt = is(
  Timestamp,
  'When what the points are for happened; the same as `createdAt` unless it was sent.',
);
export const ExternalId = is(
  Nullable(Text),
  'What another system calls the student, unique in the school; null without one.',
);
export const CardNumber = is(
  Nullable(Text),
  'The number of the card of the student, unique in the school; null without one.',
);
export const TotalScore = is(Score, 'Sum of plus and minus points.');
export const AddScore = is(Score, 'Sum of the plus points.');
export const ScoreCount = is(Count, 'Number of score records.');

/** What the live records of someone add up to. */
export const Deducted = Type.Integer({ maximum: 0, description: 'Zero or negative.' });
export const totals = {
  totalScore: TotalScore,
  addScore: AddScore,
  deductScore: Deducted,
  scoreCount: ScoreCount,
};

/** Who it is, wherever a student is named; and in which class. */
export const person = { username: LoginName, actualName: ActualName };
export const place = { classId: ClassId, className: ClassName, gradeId: GradeId, gradeName: GradeName };

/** Filters that many lists have. */
export const IsArchived = is(Type.Boolean(), '`true`: only what has graduated. `false`: only what has not.');
export const OfGrade = is(Id, 'Only what belongs to this grade.');
export const OfClass = is(Id, 'Only what belongs to this class.');

/** A person's or thing's name: 1 to 100 characters after trimming. */
export const Name = Type.String({
  minLength: 1,
  maxLength: limits.nameLengthMax,
  ...anyText,
  'x-trim': true,
  description: 'Name to show.',
});

/** A login name: 1 to 64 characters after trimming, no control characters, compared case-sensitively. */
export const Username = Type.String({
  minLength: 1,
  maxLength: limits.usernameLengthMax,
  pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  'x-characters': 'No control characters.',
  'x-trim': true,
  description: 'Login name, unique in the school.',
});

const identifier = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: limits.identifierLengthMax,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    'x-characters': 'No control characters.',
    'x-trim': true,
    description,
  });

/** What another system calls a student: 1 to 100 characters after trimming, no control characters, compared case-sensitively. */
export const GivenExternalId = identifier('What another system calls the student, unique in the school.');

/** The number of a student's card, of the same form. */
export const GivenCardNumber = identifier('The number of the card of the student, unique in the school.');

/** What a student may be given beside a name; null takes it away. */
export const identifiers = {
  externalId: Type.Optional(
    is(
      Nullable(GivenExternalId),
      'What another system calls the student, unique in the school; null: nothing.',
    ),
  ),
  cardNumber: Type.Optional(
    is(
      Nullable(GivenCardNumber),
      'The number of the card of the student, unique in the school; null: no card.',
    ),
  ),
};

/** Taken exactly as sent: white space is part of a password. */
export const Password = Type.String({
  minLength: limits.passwordLengthMin,
  maxLength: limits.passwordLengthMax,
  ...anyText,
  description: 'Taken exactly as sent.',
});

/** What people send to choose a password of their own (docs/contract.md, Passwords). */
export const chosenPassword = {
  newPassword: is(Password, 'Taken exactly as sent. Neither the old one nor the username.'),
  strict: Type.Optional(
    is(
      Type.Boolean(),
      'Whether the strict rules apply: 8 characters for administrators, no common password, none made of the username, the name or the school.',
    ),
  ),
};

/** An email address: something, an @, and a domain with a dot. Whether it exists, only a message would tell. */
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern:
    '^[^\\s@\\u0000-\\u001f\\ud800-\\udfff]+@[^\\s@.\\u0000-\\u001f\\ud800-\\udfff]+(\\.[^\\s@.\\u0000-\\u001f\\ud800-\\udfff]+)+$',
  'x-characters': 'Something, an @, and a domain with a dot; no white space.',
  'x-trim': true,
});

/** The title of an announcement. */
export const Title = Type.String({
  minLength: 1,
  maxLength: limits.announcementTitleLengthMax,
  ...anyText,
  'x-trim': true,
});

/** The HTML of an announcement as it is sent, before it is sanitised. */
export const AnnouncementContent = Type.String({
  minLength: 1,
  maxLength: limits.announcementContentLengthMax,
  ...anyText,
});

/** A field of an application: who applies, and how to reach them. */
export const ApplicationText = Type.String({
  minLength: 1,
  maxLength: limits.applicationTextLengthMax,
  ...anyText,
  'x-trim': true,
});

/** Why a school applies. */
export const ApplicationReason = Type.String({
  minLength: 1,
  maxLength: limits.applicationReasonLengthMax,
  ...anyText,
  'x-trim': true,
});

/** What the reviewer says; may be empty. */
export const ReviewNote = Type.String({
  maxLength: limits.applicationReasonLengthMax,
  ...anyText,
  'x-trim': true,
});

/** Why points were given; may be empty. */
export const Description = Type.String({
  maxLength: limits.descriptionLengthMax,
  ...anyText,
  description: 'The reason, in words.',
});

/** What staff say about a record, beside its reason. */
export const Note = Type.String({
  maxLength: limits.descriptionLengthMax,
  ...anyText,
  'x-trim': true,
  description: 'What staff say about it among themselves, beside the reason. Students do not see it.',
});

/** Points to add (positive) or deduct (negative); zero is a remark without points. */
export const ScoreChange = Type.Integer({
  minimum: -limits.scoreChangeMax,
  maximum: limits.scoreChangeMax,
  description: 'Points; negative for a deduction.',
});

/** As ScoreChange, but a template without points has no use. */
export const TemplateScoreChange = Type.Integer({
  minimum: -limits.scoreChangeMax,
  maximum: limits.scoreChangeMax,
  not: { const: 0 },
  description: 'Points; negative for a deduction.',
});

/** Free text to look for; any characters, none of them special. */
export const Keyword = Type.String({ maxLength: limits.nameLengthMax, ...anyText, 'x-trim': true });

/** The text of a filter that names one username, external id or card number. */
export const UsernameFilter = Type.String({
  maxLength: limits.descriptionLengthMax,
  ...anyText,
  'x-trim': true,
});

/** A flag that requests may write as 0, 1, true or false. */
export const Switch = Type.Unsafe<boolean | 0 | 1>({ enum: [true, false, 0, 1] });

/** An enumeration in which an unknown value is not an error but means the default. */
export function Choice<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: values, 'x-fallback': true, description });
}

/** A closed enumeration of strings. */
export function OneOf<const T extends string>(values: readonly T[], annotations: object = {}) {
  return Type.Unsafe<T>({ type: 'string', enum: values, ...annotations });
}

/** Query fields of every list; a `limit` above the maximum is served as the maximum. */
export const paging = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: 'Page, counted from 1.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: limits.pageSizeDefault,
      'x-served-at-most': limits.pageSizeMax,
      description: `Entries on a page. More than ${limits.pageSizeMax} is served as ${limits.pageSizeMax}; the answer says so in its own limit.`,
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: limits.cursorLengthMax,
      'x-empty': true,
      description:
        'Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice.',
    }),
  ),
};

/** The direction of a sorted list. */
export const Order = Type.Optional(
  OneOf(['asc', 'desc'], { 'x-any-case': true, description: 'Direction of the sort, in capitals too.' }),
);

/** The sort of a list that has no other. */
export const sorting = {
  sortBy: Type.Optional(
    Choice(['id'], 'Sort field; this list is always ordered by id, whatever is sent here.'),
  ),
  order: Order,
};

/** One page of a list; `total` counts all matching entries, whatever the page. */
export function Page<T extends TSchema>(entry: T) {
  return Type.Object({
    list: is(Type.Array(entry), 'The entries of this page.'),
    total: is(Type.Integer({ minimum: 0 }), 'All matching entries, whatever the page.'),
    page: is(Type.Integer({ minimum: 1 }), 'This page, counted from 1.'),
    limit: is(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax }), 'Entries on a full page.'),
    nextCursor: Type.Optional(
      is(
        Nullable(Text),
        'Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then.',
      ),
    ),
  });
}

/** An object that takes the named fields and no others: a misspelt field is an error, not silence. */
export function Input<T extends Parameters<typeof Type.Object>[0]>(properties: T, annotations: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...annotations });
}

/**
 * One entry of a bulk request as a rule receives it: read and checked on its own, so that a bad entry fails
 * alone. `raw` is what was sent, for telling the caller which entry it was.
 */
export type Entry<T> =
  | { readonly value: T; readonly fault?: undefined }
  | {
      readonly fault: { readonly kind: 'missing_field' | 'invalid_value'; readonly message: string };
      readonly raw: unknown;
    };

/** The entries of a bulk request: 1 to `max`, each of the schema `entry`. */
export function Entries<T extends TSchema>(entry: T, max: number) {
  return Type.Unsafe<readonly Entry<Static<T>>[]>({
    type: 'array',
    minItems: 1,
    maxItems: max,
    'x-entry': entry,
  });
}

/** What creating and changing a template takes at both doors. */
export const NewTemplate = Input({
  name: Name,
  scoreChange: TemplateScoreChange,
  description: Type.Optional(Description),
  classId: Type.Optional(is(Nullable(ClassId), 'Id of the class; null or absent: of the whole school.')),
});
export const TemplateChange = Input({
  name: Type.Optional(Name),
  scoreChange: Type.Optional(TemplateScoreChange),
  description: Type.Optional(Description),
});
