// Made of the contract by `npm run client:generate`. Do not edit.

import type { BatchOptions, CallOptions, Input } from '../call.ts';
import type {
  BulkScores,
  BulkStudents,
  Changes,
  Class,
  CreateClassBody,
  CreateGradeBody,
  CreateStudentsBatch,
  CreateStudentsBody,
  CreateStudentsData,
  CreateStudentsSingle,
  CreateTemplateBody,
  CreateWebhookBody,
  CreatedStudent,
  DeleteClassData,
  DeleteClassQuery,
  DeleteGradeData,
  DeleteGradeQuery,
  DeleteStudentData,
  DeleteStudentQuery,
  DeleteTemplateData,
  DeleteWebhookData,
  GetChangesQuery,
  GetOverviewQuery,
  GetSeatsData,
  Grade,
  ListClassesData,
  ListClassesQuery,
  ListGradesData,
  ListGradesQuery,
  ListScoresData,
  ListScoresQuery,
  ListStudentsData,
  ListStudentsQuery,
  ListTemplatesData,
  ListTemplatesQuery,
  ListWebhooksData,
  ListWebhooksQuery,
  Overview,
  Ping,
  PingQuery,
  RenameGradeBody,
  ReplaceSeatsBody,
  ReplaceSeatsData,
  RevokeScoreData,
  ScoreRecord,
  Student,
  StudentDetail,
  StudentIdentity,
  Template,
  TestWebhookData,
  UpdateClassBody,
  UpdateStudentBody,
  UpdateTemplateBody,
  UpdateWebhookBody,
  UpsertStudentsBody,
  UpsertedStudents,
  Webhook,
  WebhookWithSecret,
  WriteScoresBatch,
  WriteScoresBody,
  WriteScoresTemplate,
} from './types.ts';
import type { OperationId } from './operations.ts';

/** What each operation takes and answers. */
export interface Operations {
  ping: { path: undefined; query: PingQuery; body: undefined; data: Ping };
  listStudents: { path: undefined; query: ListStudentsQuery; body: undefined; data: ListStudentsData };
  getStudent: { path: { id: number }; query: undefined; body: undefined; data: StudentDetail };
  createStudents: { path: undefined; query: undefined; body: CreateStudentsBody; data: CreateStudentsData };
  upsertStudents: { path: undefined; query: undefined; body: UpsertStudentsBody; data: UpsertedStudents };
  updateStudent: { path: { id: number }; query: undefined; body: UpdateStudentBody; data: StudentIdentity };
  deleteStudent: { path: { id: number }; query: DeleteStudentQuery; body: undefined; data: DeleteStudentData };
  listScores: { path: undefined; query: ListScoresQuery; body: undefined; data: ListScoresData };
  writeScores: { path: undefined; query: undefined; body: WriteScoresBody; data: BulkScores };
  revokeScore: { path: { logId: number }; query: undefined; body: undefined; data: RevokeScoreData };
  listGrades: { path: undefined; query: ListGradesQuery; body: undefined; data: ListGradesData };
  createGrade: { path: undefined; query: undefined; body: CreateGradeBody; data: Grade };
  renameGrade: { path: { id: number }; query: undefined; body: RenameGradeBody; data: Grade };
  deleteGrade: { path: { id: number }; query: DeleteGradeQuery; body: undefined; data: DeleteGradeData };
  listClasses: { path: undefined; query: ListClassesQuery; body: undefined; data: ListClassesData };
  createClass: { path: undefined; query: undefined; body: CreateClassBody; data: Class };
  updateClass: { path: { id: number }; query: undefined; body: UpdateClassBody; data: Class };
  deleteClass: { path: { id: number }; query: DeleteClassQuery; body: undefined; data: DeleteClassData };
  getSeats: { path: { id: number }; query: undefined; body: undefined; data: GetSeatsData };
  replaceSeats: { path: { id: number }; query: undefined; body: ReplaceSeatsBody; data: ReplaceSeatsData };
  listTemplates: { path: undefined; query: ListTemplatesQuery; body: undefined; data: ListTemplatesData };
  createTemplate: { path: undefined; query: undefined; body: CreateTemplateBody; data: Template };
  updateTemplate: { path: { id: number }; query: undefined; body: UpdateTemplateBody; data: Template };
  deleteTemplate: { path: { id: number }; query: undefined; body: undefined; data: DeleteTemplateData };
  getChanges: { path: undefined; query: GetChangesQuery; body: undefined; data: Changes };
  getOverview: { path: undefined; query: GetOverviewQuery; body: undefined; data: Overview };
  listWebhooks: { path: undefined; query: ListWebhooksQuery; body: undefined; data: ListWebhooksData };
  createWebhook: { path: undefined; query: undefined; body: CreateWebhookBody; data: WebhookWithSecret };
  getWebhook: { path: { id: number }; query: undefined; body: undefined; data: Webhook };
  updateWebhook: { path: { id: number }; query: undefined; body: UpdateWebhookBody; data: Webhook };
  deleteWebhook: { path: { id: number }; query: undefined; body: undefined; data: DeleteWebhookData };
  testWebhook: { path: { id: number }; query: undefined; body: undefined; data: TestWebhookData };
  rotateWebhookSecret: { path: { id: number }; query: undefined; body: undefined; data: WebhookWithSecret };
}

/** One method per operation of the API, under its operationId. */
export abstract class Methods {
  /** Makes a call and answers its data. */
  protected abstract data<I extends OperationId>(
    id: I,
    input: Input,
    options: CallOptions | undefined,
  ): Promise<Operations[I]['data']>;
  /** Reads a list to its end, page by page. */
  protected abstract entries<T>(id: OperationId, query: object, options: CallOptions | undefined): AsyncGenerator<T, void, undefined>;
  /** Makes as many calls as a bulk request of any length needs. */
  protected abstract parts<T>(id: OperationId, body: object, options: BatchOptions<T> | undefined): Promise<T>;

  /**
   * Check the connection and read what the credential may do.
   *
   * Needs no permission. Call it first: it shows the school, the range and the permissions of the credential. `callCount` counts the authenticated calls answered before this one; those of the last second may be missing. With `explain=true` it also tells what the credential reaches, and which operations it may call.
   *
   * **Any credential may call it.**
   */
  ping(query: PingQuery = {}, options?: CallOptions): Promise<Ping> {
    return this.data('ping', { query }, options);
  }

  /**
   * List the students in the range.
   *
   * A class or grade outside the range gives an empty list. `keyword` matches a part of the username or the actual name and ignores case.
   *
   * **Needs the permission `students:read`.**
   */
  listStudents(query: ListStudentsQuery = {}, options?: CallOptions): Promise<ListStudentsData> {
    return this.data('listStudents', { query }, options);
  }

  /** All entries of `listStudents`, read page by page as they are taken. */
  allStudents(
    query: Omit<ListStudentsQuery, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Student, void, undefined> {
    return this.entries<Student>('listStudents', query, options);
  }

  /**
   * Read one student with the newest records.
   *
   * The email address is never shown, only whether there is one.
   *
   * **Needs the permission `students:read`.**
   */
  getStudent(id: number, options?: CallOptions): Promise<StudentDetail> {
    return this.data('getStudent', { path: { id } }, options);
  }

  /**
   * Create one student, or up to 200.
   *
   * Single form: the fields of one student. Batch form: `batch` with up to 200 entries; each succeeds or fails on its own and `details` tells which. A class credential may leave `classId` out, any other must name a class in its range. Without a password one is generated and shown once as `initialPassword`. Without `actualName` the username stands in.
   *
   * **Needs the permission `students:write`.** Counts as a write. Takes an `Idempotency-Key`.
   */
  createStudents(body: CreateStudentsSingle, options?: CallOptions): Promise<CreatedStudent>;
  createStudents(body: CreateStudentsBatch, options?: CallOptions): Promise<BulkStudents>;
  createStudents(body: CreateStudentsSingle | CreateStudentsBatch, options?: CallOptions): Promise<CreatedStudent | BulkStudents>;
  createStudents(body: CreateStudentsBody, options?: CallOptions): Promise<CreateStudentsData> {
    return this.data('createStudents', { body }, options);
  }

  /**
   * `createStudents` with any number of `batch`: as many calls as that needs, and one answer with the result of each entry
   * in the order of the input.
   *
   * @throws BatchInterruptedError when a call fails for good; it holds the results so far and the key to go on with
   */
  createManyStudents(body: CreateStudentsBatch, options?: BatchOptions<BulkStudents>): Promise<BulkStudents> {
    return this.parts<BulkStudents>('createStudents', body, options);
  }

  /**
   * Create or update up to 200 students, matched by external id or username.
   *
   * An entry means the student with its `externalId`; where there is none, the one with its `username`, who then gets the `externalId`. Where there is neither, it creates a student, which takes a `username` and a class, with a generated password that is shown once as `initialPassword`. What an entry leaves out stays as it is; null takes an external id or card number away. The `classId` at the top is that of every entry without its own. Each entry succeeds or fails on its own, `details` tells which and what it did; what succeeds is stored together or not at all. A username, external id or card number that somebody else has at the beginning of the request is taken (40901), as is the username of a student with another external id. A move needs both classes in the range, otherwise the entry fails with 40303. With `dryRun` nothing is stored, and no `Idempotency-Key` is used.
   *
   * **Needs the permission `students:write`.** Counts as a write. Takes an `Idempotency-Key`.
   */
  upsertStudents(body: UpsertStudentsBody, options?: CallOptions): Promise<UpsertedStudents> {
    return this.data('upsertStudents', { body }, options);
  }

  /**
   * `upsertStudents` with any number of `batch`: as many calls as that needs, and one answer with the result of each entry
   * in the order of the input.
   *
   * @throws BatchInterruptedError when a call fails for good; it holds the results so far and the key to go on with
   */
  upsertManyStudents(body: UpsertStudentsBody, options?: BatchOptions<UpsertedStudents>): Promise<UpsertedStudents> {
    return this.parts<UpsertedStudents>('upsertStudents', body, options);
  }

  /**
   * Change a student, or move it to another class.
   *
   * Takes at least one field. A move needs both classes in the range; the records move too. Password and email address cannot be changed here.
   *
   * **Needs the permission `students:write`.** Counts as a write.
   */
  updateStudent(id: number, body: UpdateStudentBody, options?: CallOptions): Promise<StudentIdentity> {
    return this.data('updateStudent', { path: { id }, body }, options);
  }

  /**
   * Delete a student with all records and seats.
   *
   * **Needs the permission `students:delete`.** Counts as a write.
   */
  deleteStudent(id: number, query: DeleteStudentQuery, options?: CallOptions): Promise<DeleteStudentData> {
    return this.data('deleteStudent', { path: { id }, query }, options);
  }

  /**
   * List the score records in the range.
   *
   * Newest first unless sorted otherwise. A record shows the class where its student is now. Revoked records and those of past terms are not listed.
   *
   * **Needs the permission `scores:read`.**
   */
  listScores(query: ListScoresQuery = {}, options?: CallOptions): Promise<ListScoresData> {
    return this.data('listScores', { query }, options);
  }

  /** All entries of `listScores`, read page by page as they are taken. */
  allScores(
    query: Omit<ListScoresQuery, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<ScoreRecord, void, undefined> {
    return this.entries<ScoreRecord>('listScores', query, options);
  }

  /**
   * Give points to one student, or to up to 200.
   *
   * Single form: one student; a failure fails the request. Batch form: `items`, with `scoreChange` and `description` at the top as defaults. Template form: `templateId` gives the defaults. An entry wins over the top of the request, which wins over the template. In the last two forms each entry succeeds or fails on its own and `details` tells which; the successful ones are written together or, after a crash, not at all. A student is named by `userId`, `username`, `externalId` or `cardNumber`; several of them must mean the same student.
   *
   * **Needs the permission `scores:write`.** Counts as a write. Takes an `Idempotency-Key`.
   */
  writeScores(body: WriteScoresBody, options?: CallOptions): Promise<BulkScores> {
    return this.data('writeScores', { body }, options);
  }

  /**
   * `writeScores` with any number of `items`: as many calls as that needs, and one answer with the result of each entry
   * in the order of the input.
   *
   * @throws BatchInterruptedError when a call fails for good; it holds the results so far and the key to go on with
   */
  writeManyScores(body: WriteScoresBatch | WriteScoresTemplate, options?: BatchOptions<BulkScores>): Promise<BulkScores> {
    return this.parts<BulkScores>('writeScores', body, options);
  }

  /**
   * Revoke a score record.
   *
   * The record leaves every list and total immediately. A record that is already revoked is not found. A record of a past term is a conflict.
   *
   * **Needs the permission `scores:revoke`.** Counts as a write. Takes an `Idempotency-Key`.
   */
  revokeScore(logId: number, options?: CallOptions): Promise<RevokeScoreData> {
    return this.data('revokeScore', { path: { logId } }, options);
  }

  /**
   * List the grades in the range.
   *
   * A class credential sees the grade of its class. Ordered by id. Grades that have graduated are there too, unless `archived` leaves them out.
   *
   * **Needs the permission `structure:read`.**
   */
  listGrades(query: ListGradesQuery = {}, options?: CallOptions): Promise<ListGradesData> {
    return this.data('listGrades', { query }, options);
  }

  /** All entries of `listGrades`, read page by page as they are taken. */
  allGrades(
    query: Omit<ListGradesQuery, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Grade, void, undefined> {
    return this.entries<Grade>('listGrades', query, options);
  }

  /**
   * Create a grade.
   *
   * Reserved for school credentials. Names are unique in the school.
   *
   * **Needs the permission `structure:write`.** Reserved for school credentials. Counts as a write.
   */
  createGrade(body: CreateGradeBody, options?: CallOptions): Promise<Grade> {
    return this.data('createGrade', { body }, options);
  }

  /**
   * Rename a grade.
   *
   * A grade credential may rename its own grade. A class credential may rename none.
   *
   * **Needs the permission `structure:write`.** Reserved for school and grade credentials. Counts as a write.
   */
  renameGrade(id: number, body: RenameGradeBody, options?: CallOptions): Promise<Grade> {
    return this.data('renameGrade', { path: { id }, body }, options);
  }

  /**
   * Delete a grade with all its classes and students.
   *
   * Reserved for school credentials. Also deletes its classes, students, records and seats.
   *
   * **Needs the permission `structure:delete`.** Reserved for school credentials. Counts as a write.
   */
  deleteGrade(id: number, query: DeleteGradeQuery, options?: CallOptions): Promise<DeleteGradeData> {
    return this.data('deleteGrade', { path: { id }, query }, options);
  }

  /**
   * List the classes in the range.
   *
   * Ordered by id. `gradeId` narrows the list to one grade. Classes that have graduated are there too, unless `archived` leaves them out.
   *
   * **Needs the permission `structure:read`.**
   */
  listClasses(query: ListClassesQuery = {}, options?: CallOptions): Promise<ListClassesData> {
    return this.data('listClasses', { query }, options);
  }

  /** All entries of `listClasses`, read page by page as they are taken. */
  allClasses(
    query: Omit<ListClassesQuery, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Class, void, undefined> {
    return this.entries<Class>('listClasses', query, options);
  }

  /**
   * Create a class in a grade.
   *
   * Not for class credentials. Names are unique in the grade.
   *
   * **Needs the permission `structure:write`.** Reserved for school and grade credentials. Counts as a write.
   */
  createClass(body: CreateClassBody, options?: CallOptions): Promise<Class> {
    return this.data('createClass', { body }, options);
  }

  /**
   * Rename a class, or move it to another grade.
   *
   * Takes at least one field. A move needs both grades in the range, so only a school credential can move a class. A class credential may rename its own class.
   *
   * **Needs the permission `structure:write`.** Counts as a write.
   */
  updateClass(id: number, body: UpdateClassBody, options?: CallOptions): Promise<Class> {
    return this.data('updateClass', { path: { id }, body }, options);
  }

  /**
   * Delete a class with all its students.
   *
   * Not for class credentials. Also deletes its students, records, templates and seats.
   *
   * **Needs the permission `structure:delete`.** Reserved for school and grade credentials. Counts as a write.
   */
  deleteClass(id: number, query: DeleteClassQuery, options?: CallOptions): Promise<DeleteClassData> {
    return this.data('deleteClass', { path: { id }, query }, options);
  }

  /**
   * Read who sits where in a class.
   *
   * All seats by group, row and column. A seat where no one sits has null instead of a student. Who sits there is told without `students:read`.
   *
   * **Needs the permission `structure:read`.**
   */
  getSeats(id: number, options?: CallOptions): Promise<GetSeatsData> {
    return this.data('getSeats', { path: { id } }, options);
  }

  /**
   * Replace the seats of a class and who sits there.
   *
   * Takes the whole layout; what is not in it is gone, and all seats get new ids. A student is named by `userId`, `username`, `externalId` or `cardNumber`; several of them must mean the same student. None, or null, leaves the seat empty. Each seat stands there once, each student too, and all are students of the class. One wrong seat fails the request, and nothing changes. The pages show the same seats.
   *
   * **Needs the permission `structure:write`.** Counts as a write.
   */
  replaceSeats(id: number, body: ReplaceSeatsBody, options?: CallOptions): Promise<ReplaceSeatsData> {
    return this.data('replaceSeats', { path: { id }, body }, options);
  }

  /**
   * List the score templates.
   *
   * The templates of the school and of the classes in the range, ordered by id.
   *
   * **Needs the permission `templates:read`.**
   */
  listTemplates(query: ListTemplatesQuery = {}, options?: CallOptions): Promise<ListTemplatesData> {
    return this.data('listTemplates', { query }, options);
  }

  /** All entries of `listTemplates`, read page by page as they are taken. */
  allTemplates(
    query: Omit<ListTemplatesQuery, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Template, void, undefined> {
    return this.entries<Template>('listTemplates', query, options);
  }

  /**
   * Create a score template.
   *
   * Without `classId` the template is school-wide, which needs a school credential. Names are unique under one owner: the school, or one class.
   *
   * **Needs the permission `templates:write`.** Counts as a write.
   */
  createTemplate(body: CreateTemplateBody, options?: CallOptions): Promise<Template> {
    return this.data('createTemplate', { body }, options);
  }

  /**
   * Change a score template.
   *
   * Takes at least one field. Points already given stay as they are. A school-wide template needs a school credential.
   *
   * **Needs the permission `templates:write`.** Counts as a write.
   */
  updateTemplate(id: number, body: UpdateTemplateBody, options?: CallOptions): Promise<Template> {
    return this.data('updateTemplate', { path: { id }, body }, options);
  }

  /**
   * Delete a score template.
   *
   * Needs no confirmation. Points given with it stay. A school-wide template needs a school credential.
   *
   * **Needs the permission `templates:write`.** Counts as a write.
   */
  deleteTemplate(id: number, options?: CallOptions): Promise<DeleteTemplateData> {
    return this.data('deleteTemplate', { path: { id } }, options);
  }

  /**
   * List what has changed after a cursor.
   *
   * Students, score records, grades, classes and templates that have come into your range, changed in it, or gone from it. Nothing that was stored is left out. To begin, call it without `after`: it answers the cursor of now and no entries. Then read the lists once, and from then on ask for what came `after` the cursor of the answer before. An entry holds the thing as it is now, so applying one twice does no harm; `created` and `updated` both mean: store this. Entries of a type need the permission that lists it. A change is in the feed for 30 days. 410 means: begin anew.
   *
   * **Any credential may call it.**
   */
  getChanges(query: GetChangesQuery = {}, options?: CallOptions): Promise<Changes> {
    return this.data('getChanges', { query }, options);
  }

  /**
   * Read the head counts, totals and best students of the range.
   *
   * The dates narrow the sums and the ranking, not the head counts. The ranking holds up to ten students with at least one record, best first, ties by id.
   *
   * **Needs the permission `stats:read`.**
   */
  getOverview(query: GetOverviewQuery = {}, options?: CallOptions): Promise<Overview> {
    return this.data('getOverview', { query }, options);
  }

  /**
   * List the webhooks of the credential.
   *
   * Ordered by id, at most 10. Webhooks of other credentials are not shown.
   *
   * **Any credential may call it.**
   */
  listWebhooks(query: ListWebhooksQuery = {}, options?: CallOptions): Promise<ListWebhooksData> {
    return this.data('listWebhooks', { query }, options);
  }

  /** All entries of `listWebhooks`, read page by page as they are taken. */
  allWebhooks(
    query: Omit<ListWebhooksQuery, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Webhook, void, undefined> {
    return this.entries<Webhook>('listWebhooks', query, options);
  }

  /**
   * Subscribe to changes; the answer shows the secret once.
   *
   * Changes from now on are sent to the address, signed as Standard Webhooks has it. At most 10 for one credential.
   *
   * **Any credential may call it.** Counts as a write.
   */
  createWebhook(body: CreateWebhookBody, options?: CallOptions): Promise<WebhookWithSecret> {
    return this.data('createWebhook', { body }, options);
  }

  /**
   * Read one webhook.
   *
   * **Any credential may call it.**
   */
  getWebhook(id: number, options?: CallOptions): Promise<Webhook> {
    return this.data('getWebhook', { path: { id } }, options);
  }

  /**
   * Change a webhook, pause it or let it go on.
   *
   * `active: true` also goes on after the server has stopped sending: what is waiting is sent at once.
   *
   * **Any credential may call it.** Counts as a write.
   */
  updateWebhook(id: number, body: UpdateWebhookBody, options?: CallOptions): Promise<Webhook> {
    return this.data('updateWebhook', { path: { id }, body }, options);
  }

  /**
   * Delete a webhook.
   *
   * Needs no confirmation. What is waiting is not sent any more.
   *
   * **Any credential may call it.** Counts as a write.
   */
  deleteWebhook(id: number, options?: CallOptions): Promise<DeleteWebhookData> {
    return this.data('deleteWebhook', { path: { id } }, options);
  }

  /**
   * Send a test to the receiver and tell what it answered.
   *
   * Sends `{ "type": "webhook.test", ... }` once, signed like every delivery. It is sent to a paused webhook too, and is not repeated.
   *
   * **Any credential may call it.** Counts as a write.
   */
  testWebhook(id: number, options?: CallOptions): Promise<TestWebhookData> {
    return this.data('testWebhook', { path: { id } }, options);
  }

  /**
   * Make a new secret; the answer shows it once.
   *
   * For 24 hours deliveries are signed with the old secret too, so that the receiver can change over.
   *
   * **Any credential may call it.** Counts as a write.
   */
  rotateWebhookSecret(id: number, options?: CallOptions): Promise<WebhookWithSecret> {
    return this.data('rotateWebhookSecret', { path: { id } }, options);
  }
}
