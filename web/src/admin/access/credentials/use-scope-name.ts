import type { Credential } from '@classledger/contract';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

type Scope = Pick<Credential, 'scopeType' | 'scopeGradeId' | 'scopeClassId'>;

export function useScopeName(): (scope: Scope) => string {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data: grades } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  return ({ scopeType, scopeGradeId, scopeClassId }) => {
    if (scopeType === 'school') return t('wholeSchool');
    if (scopeType === 'grade') {
      const grade = grades?.find(({ id }) => id === scopeGradeId);
      return grade?.name ?? (grades ? t('gone') : '…');
    }
    const found = classes?.find(({ id }) => id === scopeClassId);
    if (!found) return classes ? t('gone') : '…';
    return `${found.gradeName} ${found.name}`;
  };
}
