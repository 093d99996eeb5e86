import { useOperation } from '../../../api/queries.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';

/** What the numbers are about: the school, the own grade, or the own class, by name. */
export function usePlaceName(): string {
  const me = useMe();
  const { schoolDb, name } = useSchool();
  const isPart = me.gradeId !== null || me.classId !== null;
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb } }, { enabled: isPart });
  const own = data?.find(({ id, gradeId }) =>
    me.classId === null ? gradeId === me.gradeId : id === me.classId,
  );
  const part = own && (me.classId === null ? [own.gradeName] : [own.gradeName, own.name]);
  return [name, ...(part ?? [])].join(' · ');
}
