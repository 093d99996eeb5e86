import Type, { type Static, type TSchema } from 'typebox';
import { limits } from './limits.ts';

/**
 * These annotations control how `http/input.ts` of the server reads raw input before the check:
 * - `x-trim`: removes surrounding white space first; `x-any-case`: capitals count as small letters;
 * - `x-fallback`: a value outside the enumeration counts as absent; `x-empty`: an empty query parameter counts as sent;
 * - `x-instant`: turns a date-time into an instant, and a date into the start or end of that day.
 * Only documents use `x-characters` (a pattern in words), `x-served-at-most` and `x-one-of` (server code checks it).
 */

/** Excludes NUL and lone surrogates, which PostgreSQL rejects. Works without the `u` flag, as in generated code. */
export const anyText = {
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  'x-characters': 'Any characters except NUL.',
};

export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** Returns the names of properties. TypeScript types the result of `Object.keys` as `string[]`. */
export const namesOf = <T extends object>(properties: T) => Object.keys(properties) as (keyof T & string)[];

/** @param example shown in documents, instead of a derived one */
export function is<T extends TSchema>(schema: T, description: string, example?: Static<T>): T {
  return { ...schema, description, ...(example !== undefined && { examples: [example] }) };
}

/** Returns an object schema that the documents list under this title. */
export function Titled<T extends Parameters<typeof Type.Object>[0]>(title: string, properties: T) {
  return Type.Object(properties, { title });
}

/** Returns the schema of a field that may be absent. */
export function Optional<T extends TSchema>(schema: T, description: string) {
  return Type.Optional(is(schema, description));
}

export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [7],
  description: 'Id, unique among objects of the same type.',
});

/** UTC, ISO 8601 with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-09-01T08:00:00.000Z'] });

export const Text = Type.String();
export const Count = Type.Integer({ minimum: 0 });
export const Score = Type.Integer();

export const NamedAdmin = Type.Object({ id: Id, username: is(Text, 'Username.') });

export const MustChangePassword = Type.Boolean({
  description:
    'Whether another person gave out the password. If so, the pages first require a new one. The API does not enforce this.',
});

export const SchoolId = is(Id, 'Id of the school.');
export const SchoolName = is(Text, 'Name of the school.', 'Riverside School');
export const GradeId = is(Id, 'Id of the grade.', 3);
export const GradeName = is(Text, 'Name of the grade.', 'Grade 3');
export const ClassId = is(Id, 'Id of the class.', 12);
export const ClassName = is(Text, 'Name of the class.', 'Class 2');
export const UserId = is(Id, 'Id of the student.', 1201);
export const LoginName = is(Text, 'Username, unique in the school.', 'li.wei');
export const ActualName = is(Text, 'The name of the person.', '李伟');
export const ShownName = is(Text, 'Display name.');
export const StaffName = is(Nullable(Text), 'Name of the person, or null if the school has not given it.');
export const IsDisabled = is(
  Type.Boolean(),
  'Whether the account is disabled. A disabled account cannot sign in.',
);
export const CreatedAt = is(Timestamp, 'When it was created.');
export const UpdatedAt = is(
  Timestamp,
  'When a field of the object itself last changed. Changes of points and of contained objects do not count.',
);
export const OccurredAt = is(
  Timestamp,
  'When the event that the points are for happened. Equal to `createdAt` if no time was sent.',
);
export const ExternalId = is(
  Nullable(Text),
  'Id of the student in another system, unique in the school, or null if there is none.',
  'S-2026-0117',
);
export const CardNumber = is(
  Nullable(Text),
  'Card number of the student, unique in the school, or null if there is none.',
  '0004831207',
);
export const TotalScore = is(Score, 'Sum of plus and minus points.', 17);
export const AddScore = is(Score, 'Sum of the plus points.', 19);
export const ScoreCount = is(Count, 'Number of point records.', 9);

export const DeductScore = Type.Integer({ maximum: 0, description: 'Zero or negative.', examples: [-2] });
export const totalFields = {
  totalScore: TotalScore,
  addScore: AddScore,
  deductScore: DeductScore,
  scoreCount: ScoreCount,
};

export const personFields = { username: LoginName, actualName: ActualName };
export const placeFields = { classId: ClassId, className: ClassName, gradeId: GradeId, gradeName: GradeName };

export const IsArchived = is(
  Type.Boolean(),
  '`true` returns only entries that have graduated. `false` returns only entries that have not graduated.',
);
export const GradeFilter = is(Id, 'Only entries of this grade.');
export const ClassFilter = is(Id, 'Only entries of this class.');

const trimmed = (maxLength: number) => Type.String({ maxLength, ...anyText, 'x-trim': true });
const required = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...anyText, 'x-trim': true });

export const Name = is(required(limits.nameLengthMax), 'Display name.');

const identifier = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    'x-characters': 'No control characters.',
    'x-trim': true,
  });

/** Case-sensitive. */
export const Username = is(identifier(limits.usernameLengthMax), 'Username, unique in the school.', 'li.wei');

const GivenId = identifier(limits.identifierLengthMax);

export const GivenExternalId = is(GivenId, 'Id of the student in another system, unique in the school.');

export const GivenCardNumber = is(GivenId, 'Card number of the student, unique in the school.');

/** The fields that a student may lack, as answers show them. */
export const details = { externalId: ExternalId, cardNumber: CardNumber };

/** The same fields in request bodies, where null removes a value. */
export const givenDetails = {
  externalId: Optional(
    Nullable(GivenId),
    'Id of the student in another system, unique in the school, or null for none.',
  ),
  cardNumber: Optional(
    Nullable(GivenId),
    'Card number of the student, unique in the school, or null for none.',
  ),
};

/** Not trimmed, because white space is part of a password. */
export const Password = Type.String({
  minLength: limits.passwordLengthMin,
  maxLength: limits.passwordLengthMax,
  ...anyText,
  description: 'The password, exactly as sent.',
});

/** Fields of a call that chooses one's own password (docs/contract.md, Passwords). */
export const chosenPassword = {
  newPassword: is(
    Password,
    'The new password, exactly as sent. It must differ from the old one and from the username.',
    'battery staple',
  ),
  strict: Optional(
    Type.Boolean(),
    'Whether the strict rules apply. They require 8 characters from administrators. They refuse common passwords, and passwords made of the username, the name or the school.',
  ),
};

export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern:
    '^[^\\s@\\u0000-\\u001f\\ud800-\\udfff]+@[^\\s@.\\u0000-\\u001f\\ud800-\\udfff]+(\\.[^\\s@.\\u0000-\\u001f\\ud800-\\udfff]+)+$',
  'x-characters': 'A local part, an @, and a domain with a dot, without white space.',
  'x-trim': true,
});

export const Colour = Type.Integer({
  minimum: 1,
  maximum: limits.colours,
  description: 'Number of the colour in the pages.',
});

export const CategoryId = is(Nullable(Id), 'Id of the category, or null for none.', 2);
export const CategoryFilter = Optional(Id, 'Only records of this category.');

export const Title = required(limits.announcementTitleLengthMax);

/** HTML before the server sanitises it. */
export const AnnouncementContent = Type.String({
  minLength: 1,
  maxLength: limits.announcementContentLengthMax,
  ...anyText,
});

export const ApplicationText = required(limits.applicationTextLengthMax);

export const ApplicationReason = required(limits.applicationReasonLengthMax);

export const ReviewNote = trimmed(limits.applicationReasonLengthMax);

export const Description = Type.String({
  maxLength: limits.descriptionLengthMax,
  ...anyText,
  description: 'The reason, in words.',
});

export const Note = is(
  trimmed(limits.descriptionLengthMax),
  'A remark of staff on the record. Students do not see it.',
);

/** Positive adds points, negative deducts them, zero is a remark without points. */
export const ScoreChange = Type.Integer({
  minimum: -limits.scoreChangeMax,
  maximum: limits.scoreChangeMax,
  description: 'Points; negative for a deduction.',
});

export const TemplateScoreChange = Type.Integer({
  minimum: -limits.scoreChangeMax,
  maximum: limits.scoreChangeMax,
  not: { const: 0 },
  description: 'Points; negative for a deduction.',
});

/** Search text; no character is special. */
export const Keyword = trimmed(limits.nameLengthMax);

export const PersonFilter = Optional(
  Keyword,
  'Part of the username or of the actual name. Case is ignored, and no character is a wildcard.',
);
export const DisabledFilter = Optional(
  Type.Boolean(),
  'If true, returns only disabled accounts, and if false, only enabled ones.',
);

export const SignFilter = Optional(
  OneOf(['plus', 'minus']),
  'Only records that add points, or only records that deduct points.',
);

export const UsernameFilter = trimmed(limits.descriptionLengthMax);

export const BooleanOrBit = Type.Unsafe<boolean | 0 | 1>({ enum: [true, false, 0, 1] });

/** Returns an enumeration whose unknown values mean the default. */
export function Choice<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: values, 'x-fallback': true, description });
}

export function OneOf<const T extends string>(values: readonly T[], annotations: object = {}) {
  return Type.Unsafe<T>({ type: 'string', enum: values, ...annotations });
}

/** Returns the schema of the query field `limit`. Larger values count as `servedAtMost`. */
export const ListLength = (servedAtMost: number, description: string, fallback?: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      ...(fallback !== undefined && { default: fallback }),
      'x-served-at-most': servedAtMost,
      description,
    }),
  );

export const paging = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: 'Page number, starting at 1.',
    }),
  ),
  limit: ListLength(
    limits.pageSizeMax,
    `Number of entries per page. Larger values count as ${limits.pageSizeMax}, and the response then has ${limits.pageSizeMax} as its \`limit\`.`,
    limits.pageSizeDefault,
  ),
  after: Type.Optional(
    Type.String({
      maxLength: limits.cursorLengthMax,
      'x-empty': true,
      description:
        'The `nextCursor` of the previous page, or an empty value for the first page. It cannot be combined with `page`. Entries that are added or removed meanwhile do not cause other entries to be skipped or repeated.',
    }),
  ),
};

export const Order = Type.Optional(
  OneOf(['asc', 'desc'], { 'x-any-case': true, description: 'Sort direction, in lower or upper case.' }),
);

export const sorting = {
  sortBy: Type.Optional(Choice(['id'], 'Ignored, because this list is always sorted by id.')),
  order: Order,
};

export function Page<T extends TSchema>(entry: T) {
  return Type.Object({
    list: is(Type.Array(entry), 'The entries of this page.'),
    total: is(Type.Integer({ minimum: 0 }), 'Number of matching entries on all pages.'),
    page: is(Type.Integer({ minimum: 1 }), 'Number of this page, starting at 1.'),
    limit: is(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax }), 'Number of entries on a full page.'),
    nextCursor: Optional(
      Nullable(Text),
      'The value to send as `after` for the next page, or null on the last page. Returned only if the request sent `after`. `page` is 1 in this case.',
    ),
  });
}

/** Returns an object schema without additional fields, so that a misspelt field is an error. */
export function Input<T extends Parameters<typeof Type.Object>[0]>(properties: T, annotations: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...annotations });
}

/** An entry of a bulk request, checked apart from the others; `raw` is the entry as sent. */
export type Entry<T> =
  | { readonly value: T; readonly fault?: undefined }
  | {
      readonly fault: { readonly kind: 'missing_field' | 'invalid_value'; readonly message: string };
      readonly raw: unknown;
    };

export function Entries<T extends TSchema>(entry: T, max: number) {
  return Type.Unsafe<readonly Entry<Static<T>>[]>({
    type: 'array',
    minItems: 1,
    maxItems: max,
    'x-entry': entry,
  });
}

export const NewTemplate = Input({
  name: Name,
  scoreChange: TemplateScoreChange,
  description: Type.Optional(Description),
  classId: Optional(Nullable(ClassId), 'Id of the class, or null (the default) for a school-wide template.'),
  categoryId: Type.Optional(CategoryId),
});
export const TemplateChange = Input({
  name: Type.Optional(Name),
  scoreChange: Type.Optional(TemplateScoreChange),
  description: Type.Optional(Description),
  categoryId: Type.Optional(CategoryId),
});
