import type { ImportRow } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Admin } from '../../access/sessions.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { readImport, rowsExpireBefore } from './import-runs.ts';
import { secretsContext } from './import-students.ts';

/**
 * Lists rows of a run. Only the administrator who started the run gets passwords, and only of students in their range
 * who have not used them. @throws AppError not_found, out_of_range
 */
export async function listRows(
  data: SchoolData,
  sealing: Sealing,
  { admin, id, at }: { readonly admin: Admin; readonly id: number; readonly at: Date },
  slice: Slice,
): Promise<ListResult<ImportRow>> {
  const { adminId } = await readImport(data, admin, id);
  const unused = data
    .students()
    .where('s.password_is_initial', '=', true)
    .where('s.password_is_used', '=', false)
    .select('s.id');
  const rows = data
    .importRows(id)
    .where('w.created_at', '>=', rowsExpireBefore(at).toISOString())
    .select(['w.position', 'w.entry', 'w.student_id as userId', 'w.action', 'w.code', 'w.reason'])
    .select((is) =>
      is.case().when('w.student_id', 'in', unused).then(is.ref('w.secrets')).end().as('secrets'),
    )
    .orderBy('w.position');
  const page = await readPage(rows, slice, 'w.position');
  return page.map(({ position, entry, secrets, ...row }) => {
    const {
      line = null,
      missing = false,
      skipped = false,
      username = null,
      actualName = null,
      classId = null,
    } = entry;
    const opened =
      secrets && adminId === admin.id
        ? sealing.unseal('imported passwords', secretsContext(data.schoolId, id, position), secrets)
        : null;
    const slip: Partial<ImportRow> = opened === null ? {} : JSON.parse(opened);
    return { index: position, line, missing, skipped, username, actualName, classId, ...row, ...slip };
  });
}
