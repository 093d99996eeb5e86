import { limits } from 'virtual:contract';
import type { Template } from '@classledger/contract';
import {
  Group,
  Input,
  Modal,
  NumberInput,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { FormEnd } from '../../../components/FormEnd.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { mayChangeSchoolWide } from './template-groups.ts';
import { texts } from './texts.ts';
import { WherePicker } from './WherePicker.tsx';

export type TemplateTask =
  | { readonly template: Template }
  | { readonly classId: number | null; readonly kind: 'plus' | 'minus' };

interface TemplateDialogProps {
  readonly task: TemplateTask | null;
  readonly onClose: () => void;
}

export function TemplateDialog({ task, onClose }: TemplateDialogProps) {
  const t = useTexts(texts);
  const [shown, setShown] = useState(task);
  if (task && task !== shown) setShown(task);
  return (
    <Modal
      opened={task !== null}
      onClose={onClose}
      title={shown && 'template' in shown ? t('editTitle') : t('addTitle')}
      closeOnClickOutside={false}
    >
      {shown && <TemplateForm task={shown} onClose={onClose} />}
    </Modal>
  );
}

const max = limits.scoreChangeMax;

function TemplateForm({ task, onClose }: { readonly task: TemplateTask; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const before = 'template' in task ? task.template : null;
  const firstKind = 'template' in task ? (task.template.scoreChange > 0 ? 'plus' : 'minus') : task.kind;
  const [name, setName] = useState(before?.name ?? '');
  const [kind, setKind] = useState<string>(firstKind);
  const [points, setPoints] = useState<number | string>(Math.abs(before?.scoreChange ?? 1));
  const [details, setDetails] = useState(before?.description ?? '');
  const [classId, setClassId] = useState('template' in task ? null : task.classId);
  const create = useMutationWithNotice(
    'createScoreTemplate',
    (template) => t('added', { name: template.name }),
    onClose,
  );
  const update = useMutationWithNotice('updateScoreTemplate', () => t('saved'), onClose);
  const amount = Number(points);
  const pointsFit = points !== '' && Number.isInteger(amount) && amount >= 1 && amount <= max;
  const placeFits = before !== null || classId !== null || mayChangeSchoolWide(me.role);
  const faults = {
    name: name.trim() === '' && t('required'),
    points: !pointsFit && t('pointsRange', { max }),
    place: !placeFits && t('required'),
  };
  const { form, shown } = useForm(faults, () => {
    const body = {
      schoolDb,
      name: name.trim(),
      scoreChange: kind === 'minus' ? -amount : amount,
      description: details.trim(),
    };
    if (before) update.mutate({ params: { id: before.id }, body });
    else create.mutate({ body: { ...body, ...(classId !== null && { classId }) } });
  });
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={t('name')}
          placeholder={t('namePlaceholder')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          withAsterisk
          error={shown.name}
          data-autofocus
        />
        <Group align="flex-start" gap="sm">
          <Input.Wrapper label={t('kind')} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label={t('kind')}
              value={kind}
              onChange={setKind}
              data={[
                { value: 'plus', label: t('plus') },
                { value: 'minus', label: t('minus') },
              ]}
              color={kind === 'minus' ? 'minus' : 'plus'}
            />
          </Input.Wrapper>
          <NumberInput
            label={t('points')}
            value={points}
            onChange={setPoints}
            min={1}
            max={max}
            clampBehavior="none"
            allowDecimal={false}
            allowNegative={false}
            flex={1}
            error={shown.points}
          />
        </Group>
        {before === null && me.classId === null && (
          <WherePicker value={classId} onChange={setClassId} error={shown.place} />
        )}
        <Textarea
          label={t('details')}
          description={t('detailsHint')}
          value={details}
          onChange={(event) => setDetails(event.currentTarget.value)}
          maxLength={limits.descriptionLengthMax}
          autosize
          minRows={2}
          maxRows={5}
        />
        {before && (
          <Text size="sm" c="dimmed">
            {t('editHint')}
          </Text>
        )}
        <FormEnd
          attempt={before ? update : create}
          sentences={{ 404: t('gone') }}
          onCancel={onClose}
          submitLabel={before ? t('save') : t('add')}
        />
      </Stack>
    </form>
  );
}
