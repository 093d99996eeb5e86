import { IconBuildingCommunity } from '@tabler/icons-react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { DialogProvider } from '../page/dialogs.tsx';
import { CreateButton } from '../page/Page.tsx';
import { SchoolForm } from './SchoolForm.tsx';
import { texts } from './school-texts.ts';

export default function NoSchools({ isPage = false }: { readonly isPage?: boolean }) {
  const t = useTexts(texts);
  return (
    <DialogProvider>
      <EmptyState
        isPage={isPage}
        icon={IconBuildingCommunity}
        title={t('emptyTitle')}
        hint={t('emptyHint')}
        action={<CreateButton label={t('createSchool')} open={(dialog) => <SchoolForm {...dialog} />} />}
      />
    </DialogProvider>
  );
}
