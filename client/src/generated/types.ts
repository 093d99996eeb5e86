// Made of the contract by `npm run client:generate`. Do not edit.

/** What the credential reaches. */
export interface ReachedRange {
  /** The range in words. */
  readonly words: string;
  /** Whether the credential is for a school, a grade or a class. */
  readonly scopeType: 'school' | 'grade' | 'class';
  /** The grade, of a class credential the one of its class; null for a school. */
  readonly gradeId: number | null;
  /** Name of that grade. */
  readonly gradeName: string | null;
  /** The class of a class credential, otherwise null. */
  readonly classId: number | null;
  /** Name of that class. */
  readonly className: string | null;
  /** Number of grades in it. */
  readonly gradeCount: number;
  /** Number of classes in it. */
  readonly classCount: number;
  /** Number of students in it, disabled ones included. */
  readonly studentCount: number;
}

export interface ExplainedOperation {
  /** The `operationId` of the API document. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Path below /api/v1, with `:` before its parameters. */
  readonly path: string;
  /** The permission that it needs; null: none. */
  readonly permission: string | null;
  /** Where `permission` is null: one of these is needed, and each shows a part; empty: none. */
  readonly anyPermission: readonly string[];
  /** The kinds of credentials that may call it at all. */
  readonly scopeTypes: readonly ('school' | 'grade' | 'class')[];
  /** Whether the credential may call it. */
  readonly allowed: boolean;
  /** What the credential lacks: nothing, the permission, or a wider scope. */
  readonly missing: 'nothing' | 'permission' | 'scopeType';
  /** The refusal in words, as the operation itself answers it; null: none. */
  readonly reason: string | null;
}

/** What the credential reaches and may call; with `explain=true` only. */
export interface Explanation {
  readonly range: ReachedRange;
  /** Every operation, and whether the credential may call it. */
  readonly operations: readonly ExplainedOperation[];
}

export interface Ping {
  /** True. */
  readonly ok: boolean;
  /** The clock of the server. */
  readonly serverTime: string;
  /** The school of the credential. */
  readonly school: {
    /** Id, unique among its kind. */
    readonly id: number;
    /** Name to show. */
    readonly name: string;
  };
  /** The credential, without its secret. */
  readonly token: {
    /** Name to show. */
    readonly name: string;
    /** How the credential begins: enough to recognise it. */
    readonly prefix: string;
    /** Whether the credential is for a school, a grade or a class. */
    readonly scopeType: 'school' | 'grade' | 'class';
    /** The grade of a grade credential, otherwise null. */
    readonly scopeGradeId: number | null;
    /** The class of a class credential, otherwise null. */
    readonly scopeClassId: number | null;
    /** The permissions of the credential. */
    readonly scopes: readonly ('students:read' | 'students:write' | 'students:delete' | 'scores:read' | 'scores:write' | 'scores:revoke' | 'structure:read' | 'structure:write' | 'structure:delete' | 'templates:read' | 'templates:write' | 'stats:read')[];
    /** When the credential ends; null: never. */
    readonly expiresAt: string | null;
    /** Authenticated calls so far; those of the last second may be missing. */
    readonly callCount: number;
    /** When it was created. */
    readonly createdAt: string;
  };
  readonly explanation?: Explanation | undefined;
}

export interface Student {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** The name of the person. */
  readonly actualName: string;
  /** What another system calls the student, unique in the school; null without one. */
  readonly externalId: string | null;
  /** The number of the card of the student, unique in the school; null without one. */
  readonly cardNumber: string | null;
  /** Id of the class. */
  readonly classId: number;
  /** Name of the class. */
  readonly className: string;
  /** Id of the grade. */
  readonly gradeId: number;
  /** Name of the grade. */
  readonly gradeName: string;
  /** A disabled student cannot sign in. */
  readonly disabled: boolean;
  /** Sum of plus and minus points. */
  readonly totalScore: number;
  /** Sum of the plus points. */
  readonly addScore: number;
  /** Zero or negative. */
  readonly deductScore: number;
  /** Number of score records. */
  readonly scoreCount: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When one of its own fields was last changed. Points and what belongs to it do not count. */
  readonly updatedAt: string;
}

export interface ScoreRecord {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Id of the student. */
  readonly userId: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** The name of the person. */
  readonly actualName: string;
  /** Id of the class. */
  readonly classId: number;
  /** Name of the class. */
  readonly className: string;
  /** Id of the grade. */
  readonly gradeId: number;
  /** Name of the grade. */
  readonly gradeName: string;
  /** Negative for a deduction. */
  readonly scoreChange: number;
  /** The reason, in words. */
  readonly description: string;
  /** When what the points are for happened; the same as `createdAt` unless it was sent. */
  readonly occurredAt: string;
  /** When it was created. */
  readonly createdAt: string;
}

export interface StudentDetail {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** The name of the person. */
  readonly actualName: string;
  /** What another system calls the student, unique in the school; null without one. */
  readonly externalId: string | null;
  /** The number of the card of the student, unique in the school; null without one. */
  readonly cardNumber: string | null;
  /** Id of the class. */
  readonly classId: number;
  /** Name of the class. */
  readonly className: string;
  /** Id of the grade. */
  readonly gradeId: number;
  /** Name of the grade. */
  readonly gradeName: string;
  /** A disabled student cannot sign in. */
  readonly disabled: boolean;
  /** Sum of plus and minus points. */
  readonly totalScore: number;
  /** Sum of the plus points. */
  readonly addScore: number;
  /** Zero or negative. */
  readonly deductScore: number;
  /** Number of score records. */
  readonly scoreCount: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When one of its own fields was last changed. Points and what belongs to it do not count. */
  readonly updatedAt: string;
  /** Whether the student has an e-mail address. */
  readonly emailBound: boolean;
  /** Since when there is an address; null without one. */
  readonly emailBoundAt: string | null;
  /** The newest ten records. */
  readonly recentScores: readonly ScoreRecord[];
}

export interface CreateStudentsSingle {
  /** Login name, unique in the school. No control characters. White space around it is removed. */
  readonly username: string;
  /** Taken exactly as sent; without it one is generated. Any characters but NUL. */
  readonly password?: string | undefined;
  /** The name of the person. Any characters but NUL. White space around it is removed. */
  readonly actualName?: string | undefined;
  /** Id of the class. */
  readonly classId?: number | undefined;
  /** What another system calls the student, unique in the school; null: nothing. No control characters. White space around it is removed. */
  readonly externalId?: string | null | undefined;
  /** The number of the card of the student, unique in the school; null: no card. No control characters. White space around it is removed. */
  readonly cardNumber?: string | null | undefined;
}

export interface StudentBatchEntry {
  /** Login name, unique in the school. No control characters. White space around it is removed. */
  readonly username: string;
  /** The name of the person. Any characters but NUL. White space around it is removed. */
  readonly actualName?: string | undefined;
  /** Id of the class. */
  readonly classId?: number | undefined;
  /** What another system calls the student, unique in the school; null: nothing. No control characters. White space around it is removed. */
  readonly externalId?: string | null | undefined;
  /** The number of the card of the student, unique in the school; null: no card. No control characters. White space around it is removed. */
  readonly cardNumber?: string | null | undefined;
}

export interface CreateStudentsBatch {
  /** The students to create. */
  readonly batch: readonly StudentBatchEntry[];
  /** Id of the class. */
  readonly classId?: number | undefined;
  /** Password of every entry, which all of them know. Without it each gets a generated one. Any characters but NUL. */
  readonly defaultPassword?: string | undefined;
}

export interface CreatedStudent {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** The name of the person. */
  readonly actualName: string;
  /** What another system calls the student, unique in the school; null without one. */
  readonly externalId: string | null;
  /** The number of the card of the student, unique in the school; null without one. */
  readonly cardNumber: string | null;
  /** Id of the class. */
  readonly classId: number;
  /** A disabled student cannot sign in. */
  readonly disabled: boolean;
  /** When it was created. */
  readonly createdAt: string;
  /** When one of its own fields was last changed. Points and what belongs to it do not count. */
  readonly updatedAt: string;
  /** Shown once, only when it was generated. */
  readonly initialPassword?: string | undefined;
  /** When the new password ends, unless it is used before; null: never. */
  readonly passwordEndsAt?: string | null | undefined;
}

export interface BulkStudents {
  /** Entries that were done. */
  readonly successCount: number;
  /** Entries that failed. */
  readonly failedCount: number;
  /** Entries in the request. */
  readonly totalCount: number;
  /** The result of each entry, in the order of the request. */
  readonly details: readonly ({
    /** Position of the entry in the request, from 0. */
    readonly index: number;
    /** Whether this entry was done. */
    readonly success: boolean;
    /** 0 on success, otherwise an error code. */
    readonly code: number;
    /** Why the entry failed. */
    readonly reason: string | null;
    /** Login name, unique in the school. */
    readonly username: string | null;
    /** Id, unique among its kind. */
    readonly id: number | null;
    /** Shown once, only when it was generated. */
    readonly initialPassword?: string | undefined;
    /** When the new password ends, unless it is used before; null: never. */
    readonly passwordEndsAt?: string | null | undefined;
  })[];
  /** There when `defaultPassword` was given and a student was created. */
  readonly sharedPassword?: {
    /** When it ends for those who have not used it; null: never. */
    readonly expiresAt: string | null;
    /** What sharing it means, in words. */
    readonly warning: string;
  } | undefined;
}

export type StudentUpsertEntry = {
  /** What another system calls the student, unique in the school; null: nothing. No control characters. White space around it is removed. */
  readonly externalId?: string | null | undefined;
  /** The number of the card of the student, unique in the school; null: no card. No control characters. White space around it is removed. */
  readonly cardNumber?: string | null | undefined;
  /** Login name, unique in the school. No control characters. White space around it is removed. */
  readonly username?: string | undefined;
  /** The name of the person. Any characters but NUL. White space around it is removed. */
  readonly actualName?: string | undefined;
  /** Id of the class. */
  readonly classId?: number | undefined;
  /** A disabled student cannot sign in. */
  readonly disabled?: boolean | undefined;
} & ({ readonly externalId: string | null } | { readonly username: string });

export interface UpsertedStudents {
  /** Entries that were done. */
  readonly successCount: number;
  /** Entries that failed. */
  readonly failedCount: number;
  /** Entries in the request. */
  readonly totalCount: number;
  /** The result of each entry, in the order of the request. */
  readonly details: readonly ({
    /** Position of the entry in the request, from 0. */
    readonly index: number;
    /** Whether this entry was done. */
    readonly success: boolean;
    /** 0 on success, otherwise an error code. */
    readonly code: number;
    /** Why the entry failed. */
    readonly reason: string | null;
    /** Login name, unique in the school. */
    readonly username: string | null;
    /** Id, unique among its kind. */
    readonly id: number | null;
    /** Shown once, only when it was generated. */
    readonly initialPassword?: string | undefined;
    /** When the new password ends, unless it is used before; null: never. */
    readonly passwordEndsAt?: string | null | undefined;
    /** What was done; null where the entry failed. */
    readonly action: 'created' | 'updated' | 'unchanged' | null;
    /** The fields that were changed; none of a student who was created. */
    readonly changed: readonly ('username' | 'actualName' | 'classId' | 'disabled' | 'externalId' | 'cardNumber')[];
  })[];
  /** Students who were created. */
  readonly createdCount: number;
  /** Students who were changed. */
  readonly updatedCount: number;
  /** Students who needed no change. */
  readonly unchangedCount: number;
  /** Whether nothing was stored: the answer says what would have been done. */
  readonly dryRun: boolean;
}

export interface StudentIdentity {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** The name of the person. */
  readonly actualName: string;
  /** What another system calls the student, unique in the school; null without one. */
  readonly externalId: string | null;
  /** The number of the card of the student, unique in the school; null without one. */
  readonly cardNumber: string | null;
  /** Id of the class. */
  readonly classId: number;
  /** A disabled student cannot sign in. */
  readonly disabled: boolean;
  /** When it was created. */
  readonly createdAt: string;
  /** When one of its own fields was last changed. Points and what belongs to it do not count. */
  readonly updatedAt: string;
}

export type WriteScoresSingle = {
  /** Id of the student. */
  readonly userId?: number | undefined;
  /** Login name, unique in the school. No control characters. White space around it is removed. */
  readonly username?: string | undefined;
  /** What another system calls the student, unique in the school. No control characters. White space around it is removed. */
  readonly externalId?: string | undefined;
  /** The number of the card of the student, unique in the school. No control characters. White space around it is removed. */
  readonly cardNumber?: string | undefined;
  /** When it happened, with seconds and Z or an offset; now unless given. Not in the future, and not before the current term of the class began. */
  readonly occurredAt?: string | undefined;
  /** Points; negative for a deduction. */
  readonly scoreChange: number;
  /** The reason, in words. Any characters but NUL. */
  readonly description?: string | undefined;
} & ({ readonly userId: number } | { readonly username: string } | { readonly externalId: string } | { readonly cardNumber: string });

export type ScoreEntry = {
  /** Id of the student. */
  readonly userId?: number | undefined;
  /** Login name, unique in the school. No control characters. White space around it is removed. */
  readonly username?: string | undefined;
  /** What another system calls the student, unique in the school. No control characters. White space around it is removed. */
  readonly externalId?: string | undefined;
  /** The number of the card of the student, unique in the school. No control characters. White space around it is removed. */
  readonly cardNumber?: string | undefined;
  /** When it happened, with seconds and Z or an offset; now unless given. Not in the future, and not before the current term of the class began. */
  readonly occurredAt?: string | undefined;
  /** Points; negative for a deduction. */
  readonly scoreChange?: number | undefined;
  /** The reason, in words. Any characters but NUL. */
  readonly description?: string | undefined;
} & ({ readonly userId: number } | { readonly username: string } | { readonly externalId: string } | { readonly cardNumber: string });

export interface WriteScoresBatch {
  /** The students who get points. */
  readonly items: readonly ScoreEntry[];
  /** Points; negative for a deduction. */
  readonly scoreChange?: number | undefined;
  /** The reason, in words. Any characters but NUL. */
  readonly description?: string | undefined;
}

export interface WriteScoresTemplate {
  /** Id of the template that gives the defaults. */
  readonly templateId: number;
  /** The students who get points. */
  readonly items: readonly ScoreEntry[];
  /** Points; negative for a deduction. */
  readonly scoreChange?: number | undefined;
  /** The reason, in words. Any characters but NUL. */
  readonly description?: string | undefined;
}

export interface BulkScores {
  /** Entries that were done. */
  readonly successCount: number;
  /** Entries that failed. */
  readonly failedCount: number;
  /** Entries in the request. */
  readonly totalCount: number;
  /** The result of each entry, in the order of the request. */
  readonly details: readonly ({
    /** Position of the entry in the request, from 0. */
    readonly index: number;
    /** Whether this entry was done. */
    readonly success: boolean;
    /** 0 on success, otherwise an error code. */
    readonly code: number;
    /** Why the entry failed. */
    readonly reason: string | null;
    /** Id of the student. */
    readonly userId: number | null;
    /** Login name, unique in the school. */
    readonly username: string | null;
    /** Points; negative for a deduction. */
    readonly scoreChange: number | null;
    /** Id of the written score record. */
    readonly logId: number | null;
  })[];
}

export interface Grade {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Name to show. */
  readonly name: string;
  /** Id of the school. */
  readonly schoolId: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When one of its own fields was last changed. Points and what belongs to it do not count. */
  readonly updatedAt: string;
  /** Whether it has graduated: it, its students and their records can be read and not written to (40901). */
  readonly archived: boolean;
}

export interface Class {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Name to show. */
  readonly name: string;
  /** Id of the grade. */
  readonly gradeId: number;
  /** Name of the grade. */
  readonly gradeName: string;
  /** Id of the school. */
  readonly schoolId: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When one of its own fields was last changed. Points and what belongs to it do not count. */
  readonly updatedAt: string;
  /** Whether it has graduated: it, its students and their records can be read and not written to (40901). */
  readonly archived: boolean;
}

export interface Seat {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Id of the class. */
  readonly classId: number;
  /** The group of seats, from 1. */
  readonly groupIndex: number;
  /** The row in the group, from 1. */
  readonly row: number;
  /** The place in the row, from 1. */
  readonly col: number;
  /** Id of the student. */
  readonly userId: number | null;
  /** Login name. */
  readonly username: string | null;
  /** The name of the person. */
  readonly actualName: string | null;
}

export interface SeatEntry {
  /** The group of seats, from 1. */
  readonly groupIndex: number;
  /** The row in the group, from 1. */
  readonly row: number;
  /** The place in the row, from 1. */
  readonly col: number;
  /** Id of the student who sits there. */
  readonly userId?: number | null | undefined;
  /** Login name of the student who sits there. No control characters. White space around it is removed. */
  readonly username?: string | null | undefined;
  /** External id of the student who sits there. No control characters. White space around it is removed. */
  readonly externalId?: string | null | undefined;
  /** Card number of the student who sits there. No control characters. White space around it is removed. */
  readonly cardNumber?: string | null | undefined;
}

export interface Template {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Id of the class. */
  readonly classId: number | null;
  /** True for a school-wide template. */
  readonly global: boolean;
  /** Name to show. */
  readonly name: string;
  /** Points; negative for a deduction. */
  readonly scoreChange: number;
  /** The reason, in words. */
  readonly description: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
}

export interface StudentChangedTombstone {
  /** Null once the personal data was erased. */
  readonly username: string | null;
  /** What another system calls the student, unique in the school; null without one. */
  readonly externalId: string | null;
  /** The number of the card of the student, unique in the school; null without one. */
  readonly cardNumber: string | null;
}

export interface StudentChanged {
  /** What it is. */
  readonly type: 'student';
  /** `created` and `updated`: it is there, as `record`. `deleted` and `revoked`: it is in your lists no more. */
  readonly action: 'created' | 'updated' | 'deleted' | 'revoked';
  /** Id, unique among its kind. */
  readonly id: number;
  /** When it changed. */
  readonly at: string;
  /** As the list shows it now; null: it is gone. */
  readonly record: Student | null;
  /** What it was known by, beside its id; null: it is there. */
  readonly tombstone: StudentChangedTombstone | null;
}

export interface ScoreChangedTombstone {
  /** Id of the student. */
  readonly userId: number;
}

export interface ScoreChanged {
  /** What it is. */
  readonly type: 'score';
  /** `created` and `updated`: it is there, as `record`. `deleted` and `revoked`: it is in your lists no more. */
  readonly action: 'created' | 'updated' | 'deleted' | 'revoked';
  /** Id, unique among its kind. */
  readonly id: number;
  /** When it changed. */
  readonly at: string;
  /** As the list shows it now; null: it is gone. */
  readonly record: ScoreRecord | null;
  /** What it was known by, beside its id; null: it is there. */
  readonly tombstone: ScoreChangedTombstone | null;
}

export interface GradeChangedTombstone {
  /** Name to show. */
  readonly name: string;
}

export interface GradeChanged {
  /** What it is. */
  readonly type: 'grade';
  /** `created` and `updated`: it is there, as `record`. `deleted` and `revoked`: it is in your lists no more. */
  readonly action: 'created' | 'updated' | 'deleted' | 'revoked';
  /** Id, unique among its kind. */
  readonly id: number;
  /** When it changed. */
  readonly at: string;
  /** As the list shows it now; null: it is gone. */
  readonly record: Grade | null;
  /** What it was known by, beside its id; null: it is there. */
  readonly tombstone: GradeChangedTombstone | null;
}

export interface ClassChangedTombstone {
  /** Name to show. */
  readonly name: string;
}

export interface ClassChanged {
  /** What it is. */
  readonly type: 'class';
  /** `created` and `updated`: it is there, as `record`. `deleted` and `revoked`: it is in your lists no more. */
  readonly action: 'created' | 'updated' | 'deleted' | 'revoked';
  /** Id, unique among its kind. */
  readonly id: number;
  /** When it changed. */
  readonly at: string;
  /** As the list shows it now; null: it is gone. */
  readonly record: Class | null;
  /** What it was known by, beside its id; null: it is there. */
  readonly tombstone: ClassChangedTombstone | null;
}

export interface TemplateChangedTombstone {
  /** Name to show. */
  readonly name: string;
}

export interface TemplateChanged {
  /** What it is. */
  readonly type: 'template';
  /** `created` and `updated`: it is there, as `record`. `deleted` and `revoked`: it is in your lists no more. */
  readonly action: 'created' | 'updated' | 'deleted' | 'revoked';
  /** Id, unique among its kind. */
  readonly id: number;
  /** When it changed. */
  readonly at: string;
  /** As the list shows it now; null: it is gone. */
  readonly record: Template | null;
  /** What it was known by, beside its id; null: it is there. */
  readonly tombstone: TemplateChangedTombstone | null;
}

export interface Changes {
  /** Changes in their order; of several of one thing there may be one entry. */
  readonly list: readonly (StudentChanged | ScoreChanged | GradeChanged | ClassChanged | TemplateChanged)[];
  /** Where to go on: send it as `after`. */
  readonly cursor: string;
  /** Whether there is more at once; otherwise ask again later. */
  readonly hasMore: boolean;
}

export interface Overview {
  /** The range of the credential. */
  readonly scope: {
    /** Whether the credential is for a school, a grade or a class. */
    readonly type: 'school' | 'grade' | 'class';
    /** Id of the grade. */
    readonly gradeId: number | null;
    /** Id of the class. */
    readonly classId: number | null;
  };
  /** The span that the sums and the ranking cover. A full time is told as it was sent. */
  readonly range: {
    /** The first instant that counts; null: no bound. */
    readonly startDate: string | null;
    /** The last instant that counts; null: no bound. */
    readonly endDate: string | null;
  };
  /** Head counts; dates do not narrow them. */
  readonly structure: {
    /** Grades in the range. */
    readonly gradeCount: number;
    /** Classes in the range. */
    readonly classCount: number;
    /** Disabled students included. */
    readonly studentCount: number;
    /** How many of the students are disabled. */
    readonly disabledStudentCount: number;
  };
  /** Sums over the score records. */
  readonly scores: {
    /** Sum of plus and minus points. */
    readonly totalScore: number;
    /** Sum of the plus points. */
    readonly addScore: number;
    /** Sum of the minus points; zero or negative. */
    readonly deductScore: number;
    /** Number of score records. */
    readonly recordCount: number;
    /** Records of the current day in the school's time zone. */
    readonly todayRecordCount: number;
  };
  /** The best students, best first. */
  readonly topStudents: readonly {
    /** Place in the ranking, from 1. */
    readonly rank: number;
    /** Id, unique among its kind. */
    readonly id: number;
    /** Login name, unique in the school. */
    readonly username: string;
    /** The name of the person. */
    readonly actualName: string;
    /** Id of the class. */
    readonly classId: number;
    /** Name of the class. */
    readonly className: string;
    /** Sum of plus and minus points. */
    readonly totalScore: number;
    /** Number of score records. */
    readonly scoreCount: number;
  }[];
}

export interface Webhook {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Where changes are sent. */
  readonly url: string;
  /** What is sent. */
  readonly events: readonly ('student.*' | 'student.created' | 'student.updated' | 'student.deleted' | 'score.*' | 'score.created' | 'score.updated' | 'score.deleted' | 'score.revoked' | 'grade.*' | 'grade.created' | 'grade.updated' | 'grade.deleted' | 'class.*' | 'class.created' | 'class.updated' | 'class.deleted' | 'template.*' | 'template.created' | 'template.updated' | 'template.deleted')[];
  /** A note for people. */
  readonly description: string;
  /** Whether changes are sent. Those that come meanwhile are sent later. */
  readonly active: boolean;
  /** Why the server stopped sending: `failed`, nothing has been taken for three days; `gone`, the receiver answered 410; `secret`, the secret cannot be opened any more, so rotate it; `restored`, the data was restored from a backup, perhaps into a copy. Null while it has not. `active: true` goes on. */
  readonly stoppedBecause: 'failed' | 'gone' | 'secret' | 'restored' | null;
  /** When the first of the attempts failed that have all failed since. */
  readonly failingSince: string | null;
  /** Until then nothing is sent, because the last attempts failed. */
  readonly nextAttemptAt: string | null;
  /** When something was last taken. */
  readonly lastDeliveredAt: string | null;
  /** When changes were last passed over that could not be told any more: read the lists again then. */
  readonly missedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** When url, events or description last changed. */
  readonly updatedAt: string;
}

export interface WebhookWithSecret {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Where changes are sent. */
  readonly url: string;
  /** What is sent. */
  readonly events: readonly ('student.*' | 'student.created' | 'student.updated' | 'student.deleted' | 'score.*' | 'score.created' | 'score.updated' | 'score.deleted' | 'score.revoked' | 'grade.*' | 'grade.created' | 'grade.updated' | 'grade.deleted' | 'class.*' | 'class.created' | 'class.updated' | 'class.deleted' | 'template.*' | 'template.created' | 'template.updated' | 'template.deleted')[];
  /** A note for people. */
  readonly description: string;
  /** Whether changes are sent. Those that come meanwhile are sent later. */
  readonly active: boolean;
  /** Why the server stopped sending: `failed`, nothing has been taken for three days; `gone`, the receiver answered 410; `secret`, the secret cannot be opened any more, so rotate it; `restored`, the data was restored from a backup, perhaps into a copy. Null while it has not. `active: true` goes on. */
  readonly stoppedBecause: 'failed' | 'gone' | 'secret' | 'restored' | null;
  /** When the first of the attempts failed that have all failed since. */
  readonly failingSince: string | null;
  /** Until then nothing is sent, because the last attempts failed. */
  readonly nextAttemptAt: string | null;
  /** When something was last taken. */
  readonly lastDeliveredAt: string | null;
  /** When changes were last passed over that could not be told any more: read the lists again then. */
  readonly missedAt: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** When url, events or description last changed. */
  readonly updatedAt: string;
  /** What deliveries are signed with, `whsec_` and base64, as Standard Webhooks has it. It is shown this once. */
  readonly secret: string;
}

export interface StudentCreatedMessage {
  /** The type of the message. */
  readonly type: 'student.created';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'student';
    /** What happened. */
    readonly action: 'created';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Student;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface StudentUpdatedMessage {
  /** The type of the message. */
  readonly type: 'student.updated';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'student';
    /** What happened. */
    readonly action: 'updated';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Student;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface StudentDeletedMessage {
  /** The type of the message. */
  readonly type: 'student.deleted';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'student';
    /** What happened. */
    readonly action: 'deleted';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    /** It is gone. */
    readonly record: null;
    readonly tombstone: StudentChangedTombstone;
  };
}

export interface ScoreCreatedMessage {
  /** The type of the message. */
  readonly type: 'score.created';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'score';
    /** What happened. */
    readonly action: 'created';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: ScoreRecord;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface ScoreUpdatedMessage {
  /** The type of the message. */
  readonly type: 'score.updated';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'score';
    /** What happened. */
    readonly action: 'updated';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: ScoreRecord;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface ScoreDeletedMessage {
  /** The type of the message. */
  readonly type: 'score.deleted';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'score';
    /** What happened. */
    readonly action: 'deleted';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    /** It is gone. */
    readonly record: null;
    readonly tombstone: ScoreChangedTombstone;
  };
}

export interface ScoreRevokedMessage {
  /** The type of the message. */
  readonly type: 'score.revoked';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'score';
    /** What happened. */
    readonly action: 'revoked';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    /** It is gone. */
    readonly record: null;
    readonly tombstone: ScoreChangedTombstone;
  };
}

export interface GradeCreatedMessage {
  /** The type of the message. */
  readonly type: 'grade.created';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'grade';
    /** What happened. */
    readonly action: 'created';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Grade;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface GradeUpdatedMessage {
  /** The type of the message. */
  readonly type: 'grade.updated';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'grade';
    /** What happened. */
    readonly action: 'updated';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Grade;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface GradeDeletedMessage {
  /** The type of the message. */
  readonly type: 'grade.deleted';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'grade';
    /** What happened. */
    readonly action: 'deleted';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    /** It is gone. */
    readonly record: null;
    readonly tombstone: GradeChangedTombstone;
  };
}

export interface ClassCreatedMessage {
  /** The type of the message. */
  readonly type: 'class.created';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'class';
    /** What happened. */
    readonly action: 'created';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Class;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface ClassUpdatedMessage {
  /** The type of the message. */
  readonly type: 'class.updated';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'class';
    /** What happened. */
    readonly action: 'updated';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Class;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface ClassDeletedMessage {
  /** The type of the message. */
  readonly type: 'class.deleted';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'class';
    /** What happened. */
    readonly action: 'deleted';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    /** It is gone. */
    readonly record: null;
    readonly tombstone: ClassChangedTombstone;
  };
}

export interface TemplateCreatedMessage {
  /** The type of the message. */
  readonly type: 'template.created';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'template';
    /** What happened. */
    readonly action: 'created';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Template;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface TemplateUpdatedMessage {
  /** The type of the message. */
  readonly type: 'template.updated';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'template';
    /** What happened. */
    readonly action: 'updated';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    readonly record: Template;
    /** It is there. */
    readonly tombstone: null;
  };
}

export interface TemplateDeletedMessage {
  /** The type of the message. */
  readonly type: 'template.deleted';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** What it is. */
    readonly type: 'template';
    /** What happened. */
    readonly action: 'deleted';
    /** Id, unique among its kind. */
    readonly id: number;
    /** When it changed. */
    readonly at: string;
    /** It is gone. */
    readonly record: null;
    readonly tombstone: TemplateChangedTombstone;
  };
}

export interface WebhookTestMessage {
  /** The type of the message. */
  readonly type: 'webhook.test';
  /** When it happened. */
  readonly timestamp: string;
  /** What it is about. */
  readonly data: {
    /** Id of the webhook. */
    readonly webhookId: number;
  };
}

export interface PingQuery {
  /** Whether to tell what the credential reaches and which operations it may call. */
  readonly explain?: boolean | undefined;
}

export interface ListStudentsQuery {
  /** Page, counted from 1. */
  readonly page?: number | undefined;
  /** Entries on a page. More than 100 is served as 100; the answer says so in its own limit. */
  readonly limit?: number | undefined;
  /** Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice. */
  readonly after?: string | undefined;
  /** Sort field, `id` unless given; an unknown one means the default. Ties are ordered by id. */
  readonly sortBy?: 'id' | 'username' | 'actualName' | 'totalScore' | 'scoreCount' | 'createdAt' | undefined;
  /** Direction of the sort, in capitals too. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Only what belongs to this class. */
  readonly classId?: number | undefined;
  /** Only what belongs to this grade. */
  readonly gradeId?: number | undefined;
  /** Part of the username or of the actual name, in any case; no character is special. */
  readonly keyword?: string | undefined;
  /** Only disabled ones, or only enabled ones. */
  readonly disabled?: boolean | undefined;
  /** Only the one with exactly this login name. */
  readonly username?: string | undefined;
  /** Only those with these ids, separated by commas, up to 100; what is not in the range is left out. */
  readonly ids?: readonly number[] | undefined;
  /** Only the student with exactly this external id. */
  readonly externalId?: string | undefined;
  /** Only the student with exactly this card number. */
  readonly cardNumber?: string | undefined;
}

/** What was asked for. */
export interface ListStudentsData {
  /** The entries of this page. */
  readonly list: readonly Student[];
  /** All matching entries, whatever the page. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** Entries on a full page. */
  readonly limit: number;
  /** Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then. */
  readonly nextCursor?: string | null | undefined;
}

export type CreateStudentsBody = CreateStudentsSingle | CreateStudentsBatch;

/** What was asked for. */
export type CreateStudentsData = CreatedStudent | BulkStudents;

export interface UpsertStudentsBody {
  /** The students as they are to be. */
  readonly batch: readonly StudentUpsertEntry[];
  /** Id of the class of every entry that names none. */
  readonly classId?: number | undefined;
  /** Only tells what would be done. */
  readonly dryRun?: boolean | undefined;
}

export interface UpdateStudentBody {
  /** Login name, unique in the school. No control characters. White space around it is removed. */
  readonly username?: string | undefined;
  /** The name of the person. Any characters but NUL. White space around it is removed. */
  readonly actualName?: string | undefined;
  /** A disabled student cannot sign in. */
  readonly disabled?: boolean | undefined;
  /** Id of the class. */
  readonly classId?: number | undefined;
  /** What another system calls the student, unique in the school; null: nothing. No control characters. White space around it is removed. */
  readonly externalId?: string | null | undefined;
  /** The number of the card of the student, unique in the school; null: no card. No control characters. White space around it is removed. */
  readonly cardNumber?: string | null | undefined;
}

export interface DeleteStudentQuery {
  /** Must be `true`, so that nothing is deleted by mistake. */
  readonly confirm: true;
}

/** What was asked for. */
export interface DeleteStudentData {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** Id of the class. */
  readonly classId: number;
}

export interface ListScoresQuery {
  /** Page, counted from 1. */
  readonly page?: number | undefined;
  /** Entries on a page. More than 100 is served as 100; the answer says so in its own limit. */
  readonly limit?: number | undefined;
  /** Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice. */
  readonly after?: string | undefined;
  /** Sort field, `createdAt` unless given; an unknown one means the default. Ties are ordered by id. */
  readonly sortBy?: 'id' | 'createdAt' | 'scoreChange' | undefined;
  /** Direction of the sort, in capitals too. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Only records of the student with this id. */
  readonly userId?: number | undefined;
  /** Only records of the student with exactly this username. */
  readonly username?: string | undefined;
  /** Only what belongs to this class. */
  readonly classId?: number | undefined;
  /** Only what belongs to this grade. */
  readonly gradeId?: number | undefined;
  /** Only plus points, or only minus points. */
  readonly type?: 'add' | 'deduct' | undefined;
  /** YYYY-MM-DD (that day from 00:00:00.000Z, UTC) or an RFC 3339 date-time with seconds and Z or an offset. */
  readonly startDate?: string | undefined;
  /** YYYY-MM-DD (that day to 23:59:59.999Z, UTC) or an RFC 3339 date-time with seconds and Z or an offset. */
  readonly endDate?: string | undefined;
}

/** What was asked for. */
export interface ListScoresData {
  /** The entries of this page. */
  readonly list: readonly ScoreRecord[];
  /** All matching entries, whatever the page. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** Entries on a full page. */
  readonly limit: number;
  /** Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then. */
  readonly nextCursor?: string | null | undefined;
}

export type WriteScoresBody = WriteScoresSingle | WriteScoresBatch | WriteScoresTemplate;

/** What was asked for. */
export interface RevokeScoreData {
  /** Id of the score record. */
  readonly logId: number;
  /** Id of the student. */
  readonly userId: number;
  /** Login name, unique in the school. */
  readonly username: string;
  /** The points that no longer count. */
  readonly revokedScoreChange: number;
}

export interface ListGradesQuery {
  /** Page, counted from 1. */
  readonly page?: number | undefined;
  /** Entries on a page. More than 100 is served as 100; the answer says so in its own limit. */
  readonly limit?: number | undefined;
  /** Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice. */
  readonly after?: string | undefined;
  /** Sort field; this list is always ordered by id, whatever is sent here. */
  readonly sortBy?: 'id' | undefined;
  /** Direction of the sort, in capitals too. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** `true`: only what has graduated. `false`: only what has not. */
  readonly archived?: boolean | undefined;
}

/** What was asked for. */
export interface ListGradesData {
  /** The entries of this page. */
  readonly list: readonly Grade[];
  /** All matching entries, whatever the page. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** Entries on a full page. */
  readonly limit: number;
  /** Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then. */
  readonly nextCursor?: string | null | undefined;
}

export interface CreateGradeBody {
  /** Name to show. Any characters but NUL. White space around it is removed. */
  readonly name: string;
}

export interface RenameGradeBody {
  /** Name to show. Any characters but NUL. White space around it is removed. */
  readonly name: string;
}

export interface DeleteGradeQuery {
  /** Must be `true`, so that nothing is deleted by mistake. */
  readonly confirm: true;
}

/** What was asked for. */
export interface DeleteGradeData {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Name to show. */
  readonly name: string;
  /** How much was deleted along with it. */
  readonly cascadeDeleted: {
    /** Number of classes. */
    readonly classes: number;
    /** Number of students. */
    readonly students: number;
  };
}

export interface ListClassesQuery {
  /** Page, counted from 1. */
  readonly page?: number | undefined;
  /** Entries on a page. More than 100 is served as 100; the answer says so in its own limit. */
  readonly limit?: number | undefined;
  /** Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice. */
  readonly after?: string | undefined;
  /** Sort field; this list is always ordered by id, whatever is sent here. */
  readonly sortBy?: 'id' | undefined;
  /** Direction of the sort, in capitals too. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Only what belongs to this grade. */
  readonly gradeId?: number | undefined;
  /** `true`: only what has graduated. `false`: only what has not. */
  readonly archived?: boolean | undefined;
}

/** What was asked for. */
export interface ListClassesData {
  /** The entries of this page. */
  readonly list: readonly Class[];
  /** All matching entries, whatever the page. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** Entries on a full page. */
  readonly limit: number;
  /** Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then. */
  readonly nextCursor?: string | null | undefined;
}

export interface CreateClassBody {
  /** Name to show. Any characters but NUL. White space around it is removed. */
  readonly name: string;
  /** Id of the grade. */
  readonly gradeId: number;
}

export interface UpdateClassBody {
  /** Name to show. Any characters but NUL. White space around it is removed. */
  readonly name?: string | undefined;
  /** Id of the grade. */
  readonly gradeId?: number | undefined;
}

export interface DeleteClassQuery {
  /** Must be `true`, so that nothing is deleted by mistake. */
  readonly confirm: true;
}

/** What was asked for. */
export interface DeleteClassData {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Name to show. */
  readonly name: string;
  /** How much was deleted along with it. */
  readonly cascadeDeleted: {
    /** Number of students. */
    readonly students: number;
  };
}

/** What was asked for. */
export interface GetSeatsData {
  /** By group, row and column. */
  readonly seats: readonly Seat[];
  /** How many students who are not disabled have no seat. */
  readonly unseated: number;
}

export interface ReplaceSeatsBody {
  /** Every seat of the class. An empty list takes all seats away. */
  readonly seats: readonly SeatEntry[];
}

/** What was asked for. */
export interface ReplaceSeatsData {
  /** By group, row and column. */
  readonly seats: readonly Seat[];
  /** How many students who are not disabled have no seat. */
  readonly unseated: number;
}

export interface ListTemplatesQuery {
  /** Page, counted from 1. */
  readonly page?: number | undefined;
  /** Entries on a page. More than 100 is served as 100; the answer says so in its own limit. */
  readonly limit?: number | undefined;
  /** Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice. */
  readonly after?: string | undefined;
  /** Sort field; this list is always ordered by id, whatever is sent here. */
  readonly sortBy?: 'id' | undefined;
  /** Direction of the sort, in capitals too. */
  readonly order?: 'asc' | 'desc' | undefined;
}

/** What was asked for. */
export interface ListTemplatesData {
  /** The entries of this page. */
  readonly list: readonly Template[];
  /** All matching entries, whatever the page. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** Entries on a full page. */
  readonly limit: number;
  /** Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then. */
  readonly nextCursor?: string | null | undefined;
}

export interface CreateTemplateBody {
  /** Name to show. Any characters but NUL. White space around it is removed. */
  readonly name: string;
  /** Points; negative for a deduction. Anything but 0. */
  readonly scoreChange: number;
  /** The reason, in words. Any characters but NUL. */
  readonly description?: string | undefined;
  /** Id of the class; null or absent: of the whole school. */
  readonly classId?: number | null | undefined;
}

export interface UpdateTemplateBody {
  /** Name to show. Any characters but NUL. White space around it is removed. */
  readonly name?: string | undefined;
  /** Points; negative for a deduction. Anything but 0. */
  readonly scoreChange?: number | undefined;
  /** The reason, in words. Any characters but NUL. */
  readonly description?: string | undefined;
}

/** What was asked for. */
export interface DeleteTemplateData {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Name to show. */
  readonly name: string;
}

export interface GetChangesQuery {
  /** The `cursor` of the answer before. Without it, the cursor of now is answered. An empty one is refused: whoever lost the place must not skip what came since. */
  readonly after?: string | undefined;
  /** Only changes of these, separated by commas; without it, of all that you may read. A cursor is good for the types it was made with, and for fewer. */
  readonly types?: readonly ('student' | 'score' | 'grade' | 'class' | 'template')[] | undefined;
  /** Entries at most. More than 1000 is served as 1000. There may be fewer although there are more to come: `hasMore` tells. */
  readonly limit?: number | undefined;
}

export interface GetOverviewQuery {
  /** YYYY-MM-DD (that day from 00:00:00.000Z, UTC) or an RFC 3339 date-time with seconds and Z or an offset. */
  readonly startDate?: string | undefined;
  /** YYYY-MM-DD (that day to 23:59:59.999Z, UTC) or an RFC 3339 date-time with seconds and Z or an offset. */
  readonly endDate?: string | undefined;
}

export interface ListWebhooksQuery {
  /** Page, counted from 1. */
  readonly page?: number | undefined;
  /** Entries on a page. More than 100 is served as 100; the answer says so in its own limit. */
  readonly limit?: number | undefined;
  /** Instead of `page`: the `nextCursor` of the page before; empty for the first page. Entries that come or go meanwhile make no other be skipped or told twice. */
  readonly after?: string | undefined;
  /** Sort field; this list is always ordered by id, whatever is sent here. */
  readonly sortBy?: 'id' | undefined;
  /** Direction of the sort, in capitals too. */
  readonly order?: 'asc' | 'desc' | undefined;
}

/** What was asked for. */
export interface ListWebhooksData {
  /** The entries of this page. */
  readonly list: readonly Webhook[];
  /** All matching entries, whatever the page. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** Entries on a full page. */
  readonly limit: number;
  /** Only where `after` was sent: what to send as `after` for the next page; null on the last. `page` is 1 then. */
  readonly nextCursor?: string | null | undefined;
}

export interface CreateWebhookBody {
  /** Where changes are sent: an address with https, without a user name, a password or a fragment. It must not lead into a private network, unless the operator allows that. Any characters but NUL. White space around it is removed. */
  readonly url: string;
  /** What is sent: kinds of changes such as `student.created`, or all of a type such as `student.*`. Each needs the permission to read that type. */
  readonly events: readonly ('student.*' | 'student.created' | 'student.updated' | 'student.deleted' | 'score.*' | 'score.created' | 'score.updated' | 'score.deleted' | 'score.revoked' | 'grade.*' | 'grade.created' | 'grade.updated' | 'grade.deleted' | 'class.*' | 'class.created' | 'class.updated' | 'class.deleted' | 'template.*' | 'template.created' | 'template.updated' | 'template.deleted')[];
  /** A note for people. Any characters but NUL. */
  readonly description?: string | undefined;
  /** Whether changes are sent. Those that come meanwhile are sent later. */
  readonly active?: boolean | undefined;
}

export interface UpdateWebhookBody {
  /** Where changes are sent: an address with https, without a user name, a password or a fragment. It must not lead into a private network, unless the operator allows that. Any characters but NUL. White space around it is removed. */
  readonly url?: string | undefined;
  /** What is sent: kinds of changes such as `student.created`, or all of a type such as `student.*`. Each needs the permission to read that type. */
  readonly events?: readonly ('student.*' | 'student.created' | 'student.updated' | 'student.deleted' | 'score.*' | 'score.created' | 'score.updated' | 'score.deleted' | 'score.revoked' | 'grade.*' | 'grade.created' | 'grade.updated' | 'grade.deleted' | 'class.*' | 'class.created' | 'class.updated' | 'class.deleted' | 'template.*' | 'template.created' | 'template.updated' | 'template.deleted')[] | undefined;
  /** A note for people. Any characters but NUL. */
  readonly description?: string | undefined;
  /** Whether changes are sent. Those that come meanwhile are sent later. */
  readonly active?: boolean | undefined;
}

/** What was asked for. */
export interface DeleteWebhookData {
  /** Id, unique among its kind. */
  readonly id: number;
  /** Where changes were sent. */
  readonly url: string;
}

/** What was asked for. */
export interface TestWebhookData {
  /** Whether the receiver took it: whether it answered 2xx in time. */
  readonly delivered: boolean;
  /** What the receiver answered; null where it did not. */
  readonly statusCode: number | null;
  /** How long it took. */
  readonly latencyMs: number;
  /** Why it was not taken; null where it was. */
  readonly error: string | null;
}

/** The body of a delivery of a webhook. */
export type WebhookDelivery = StudentCreatedMessage | StudentUpdatedMessage | StudentDeletedMessage | ScoreCreatedMessage | ScoreUpdatedMessage | ScoreDeletedMessage | ScoreRevokedMessage | GradeCreatedMessage | GradeUpdatedMessage | GradeDeletedMessage | ClassCreatedMessage | ClassUpdatedMessage | ClassDeletedMessage | TemplateCreatedMessage | TemplateUpdatedMessage | TemplateDeletedMessage | WebhookTestMessage;
