import type { Administrator } from '@classledger/contract';
import { Modal } from '@mantine/core';
import { useChange } from '../../../components/use-change.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { AdministratorForm } from './AdministratorForm.tsx';
import { type Affiliation, affiliationFields, affiliationOf, isSameAffiliation } from './affiliation.ts';
import { texts } from './texts.ts';

interface EditDialogProps {
  readonly administrator: Administrator;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changes username, role and what an administrator is responsible for. */
export function EditDialog({ administrator, opened, onClose }: EditDialogProps) {
  const t = useTexts(texts);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('editTitle', { name: administrator.username })}
      closeOnClickOutside={false}
    >
      <EditForm administrator={administrator} onClose={onClose} />
    </Modal>
  );
}

function EditForm({ administrator, onClose }: Omit<EditDialogProps, 'opened'>) {
  const c = useTexts(commonTexts);
  const me = useMe();
  const before = affiliationOf(administrator);
  const stays = (affiliation: Affiliation) => isSameAffiliation(before, affiliation);
  const update = useChange('updateAdministrator', () => c('saved'), onClose);
  return (
    <AdministratorForm
      initial={{ username: administrator.username, affiliation: before }}
      submitLabel={c('save')}
      onSubmit={({ username, affiliation }) =>
        update.mutate({
          params: { id: administrator.id },
          // What stays is not sent: someone whose class was deleted can be renamed all the same.
          body: { username, ...(!stays(affiliation) && affiliationFields(affiliation)) },
        })
      }
      onCancel={onClose}
      attempt={update}
      roleLocked={administrator.id === me.id}
      mayLack={stays}
    />
  );
}
