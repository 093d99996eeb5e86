import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { ClassPageGate } from '../ClassPageGate.tsx';
import { ClassSeats } from './ClassSeats.tsx';
import { texts } from './texts.ts';

export function SeatsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <ClassPageGate title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')}>
      {(shown, picker) => <ClassSeats key={shown.id} schoolDb={schoolDb} of={shown} picker={picker} />}
    </ClassPageGate>
  );
}
