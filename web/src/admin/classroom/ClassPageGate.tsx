import type { ClassSummary } from '@classledger/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../api/queries.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ClassChoice } from '../../components/StructurePickers.tsx';
import { useSchool, useSelectedClass } from '../school.tsx';
import { NoClass } from './NoClass.tsx';

interface ClassPageGateProps {
  readonly title: string;
  readonly chooseHint: string;
  readonly noneHint: string;
  readonly children: (shown: ClassSummary, picker: ReactNode) => ReactNode;
}

export function ClassPageGate({ title, chooseHint, noneHint, children }: ClassPageGateProps) {
  const { schoolDb } = useSchool();
  const { classId, choose } = useSelectedClass();
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const shown = classes?.find(({ id }) => id === classId);
  if (shown) return children(shown, <ClassChoice schoolDb={schoolDb} value={shown.id} onChange={choose} />);
  return (
    <>
      <PageHeader title={title} />
      <NoClass chooseHint={chooseHint} noneHint={noneHint} />
    </>
  );
}
