import { useDisclosure } from '@mantine/hooks';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ClassChoice } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool, useSelectedClass } from '../../school.tsx';
import { useSaveOfflineAnswers } from '../../use-save-offline-answers.ts';
import { NoClass } from '../NoClass.tsx';
import { BoardTools } from './BoardTools.tsx';
import { ClassBoard } from './ClassBoard.tsx';
import { texts } from './texts.ts';

export function ScoringPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { classId, choose } = useSelectedClass();
  useSaveOfflineAnswers();
  const [isHelpOpen, help] = useDisclosure();
  if (classId === null) {
    return (
      <>
        <PageHeader title={t('title')} />
        <NoClass chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        choice={<ClassChoice schoolDb={schoolDb} value={classId} onChange={choose} />}
        actions={<BoardTools schoolDb={schoolDb} classId={classId} onHelp={help.open} />}
      />
      <ClassBoard
        key={classId}
        schoolDb={schoolDb}
        classId={classId}
        help={{ isOpen: isHelpOpen, open: help.open, close: help.close }}
      />
    </>
  );
}
