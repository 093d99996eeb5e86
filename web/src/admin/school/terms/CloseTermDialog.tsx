import { limits } from 'virtual:contract';
import type { Term } from '@classledger/contract';
import { Modal } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { truncateText } from '../../../i18n/letters.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { ActionStep } from './ActionStep.tsx';
import { ClassesStep } from './ClassesStep.tsx';
import { schoolYearHalfOf, type TermClosing } from './close-terms.ts';
import { ResultStep } from './ResultStep.tsx';
import { texts } from './texts.ts';

interface CloseTermDialogProps extends DialogProps {
  readonly firstClassId: number | null;
}

export function CloseTermDialog({ opened, onClose, firstClassId }: CloseTermDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const [running, setRunning] = useState(false);
  useWindowEvent('beforeunload', (event) => {
    if (running) event.preventDefault();
  });
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (!running) onClose();
      }}
      title={t('closeTerm')}
      size="lg"
      fullScreen={onPhone}
      closeOnClickOutside={false}
      withCloseButton={!running}
    >
      <Steps onClose={onClose} firstClassId={firstClassId} onRunning={setRunning} />
    </Modal>
  );
}

interface StepsProps extends Omit<CloseTermDialogProps, 'opened'> {
  readonly onRunning: (running: boolean) => void;
}

function Steps({ onClose, firstClassId, onRunning }: StepsProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { today } = useSchoolTime();
  const known = useOperation('listSchoolClasses', { query: { schoolDb } });
  const [step, setStep] = useState<'classes' | 'action' | 'result'>(
    me.classId === null ? 'classes' : 'action',
  );
  const first = me.classId ?? firstClassId;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(first === null ? [] : [first]));
  const [action, setAction] = useState<Term['action']>('archive');
  const [name, setName] = useState(() => {
    const { half, startYear } = schoolYearHalfOf(today());
    const years = { start: String(startYear), end: String(startYear + 1) };
    return truncateText(limits.nameLengthMax, t(half === 'first' ? 'nameFirst' : 'nameSecond', years));
  });
  const [closing, setClosing] = useState<TermClosing | null>(null);

  if (closing) return <ResultStep closing={closing} onClose={onClose} onRunning={onRunning} />;
  if (!known.data) return <LoadingOrError of={[known]} />;
  if (known.data.length === 0) return <EmptyState title={t('noClassesTitle')} hint={t('noClassesHint')} />;
  const classes = known.data.filter(({ id }) => chosen.has(id));
  if (step === 'classes' || classes.length === 0) {
    return (
      <ClassesStep
        classes={known.data}
        chosen={chosen}
        onChoose={setChosen}
        onCancel={onClose}
        onNext={() => setStep('action')}
      />
    );
  }
  return (
    <ActionStep
      closing={{ classes, action, name }}
      onAction={setAction}
      onName={setName}
      onBack={me.classId === null ? () => setStep('classes') : null}
      onCancel={onClose}
      onConfirm={() => {
        setStep('result');
        setClosing({ classes, action, name: name.trim() });
      }}
    />
  );
}
