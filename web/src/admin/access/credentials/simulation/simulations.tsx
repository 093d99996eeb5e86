import type { Credential, Permission } from '@classledger/contract';
import { Button, Group, Modal } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useOperation } from '../../../../api/queries.ts';
import type { DialogProps } from '../../../../components/ConfirmDialog.tsx';
import { useIsPhone } from '../../../../components/use-is-phone.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { type ChosenScope, scopeFields } from '../credential-form.ts';
import { SimulationView } from './SimulationView.tsx';
import { texts } from './texts.ts';

interface FormSimulationDialogProps {
  readonly scope: ChosenScope;
  readonly permissions: readonly Permission[];
  readonly onBack: () => void;
}

export function FormSimulationDialog({ scope, permissions, onBack }: FormSimulationDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { scopeType, scopeGradeId, scopeClassId } = {
    scopeGradeId: null,
    scopeClassId: null,
    ...scopeFields(scope),
  };
  const query = useOperation('simulateCredential', {
    query: {
      schoolDb,
      scopeType,
      scopes: permissions.join(','),
      ...(scopeGradeId !== null && { scopeGradeId }),
      ...(scopeClassId !== null && { scopeClassId }),
    },
  });
  return (
    <>
      <Group mb="md">
        <Button
          variant="default"
          leftSection={<IconArrowLeft aria-hidden size={16} />}
          onClick={onBack}
          data-autofocus
        >
          {t('back')}
        </Button>
      </Group>
      <SimulationView query={query} />
    </>
  );
}

interface SimulationDialogProps extends DialogProps {
  readonly credential: Credential;
}

export function SimulationDialog({ credential, opened, onClose }: SimulationDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      fullScreen={onPhone}
      title={t('whatItSeesOf', { name: credential.name })}
    >
      <IssuedSimulation id={credential.id} />
    </Modal>
  );
}

function IssuedSimulation({ id }: { readonly id: number }) {
  const { schoolDb } = useSchool();
  return (
    <SimulationView
      query={useOperation('simulateIssuedCredential', { params: { id }, query: { schoolDb } })}
    />
  );
}
