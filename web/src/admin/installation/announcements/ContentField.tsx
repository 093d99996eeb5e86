import { Group, Input, SegmentedControl, Textarea } from '@mantine/core';
import { lazy, useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { LazyBoundary } from '../../../components/LazyBoundary.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { isBlankHtml, isSupportedByEditor } from './announcement-html.ts';
import { texts } from './texts.ts';

const RichEditor = lazy(() => import('./RichEditor.tsx'));

const monospace = {
  fontFamily: 'var(--mantine-font-family-monospace)',
  fontSize: 'var(--mantine-font-size-sm)',
};

interface ContentFieldProps {
  readonly value: string;
  readonly onChange: (html: string) => void;
  readonly error?: string;
  readonly onLinkBox: (opened: boolean) => void;
}

export function ContentField({ value, onChange, error, onLinkBox }: ContentFieldProps) {
  const t = useTexts(texts);
  const [mode, setMode] = useState<'editor' | 'html'>(isSupportedByEditor(value) ? 'editor' : 'html');
  // When the user switches from HTML to the editor, the server first sanitises the HTML.
  const sanitise = useMutationOf('previewAnnouncement', {
    onSuccess: ({ content }) => {
      onChange(content);
      if (isSupportedByEditor(content)) setMode('editor');
    },
    onError: useFailureNotice({ 400: t('contentBlank') }),
  });
  const choose = (next: string) => {
    if (next === 'html') setMode('html');
    else if (isBlankHtml(value)) {
      onChange('');
      setMode('editor');
    } else sanitise.mutate({ body: { content: value } });
  };
  const holdsTable = mode === 'html' && !isSupportedByEditor(value);
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb={6} gap="xs">
        <Input.Label component="div">{t('contentLabel')}</Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={t('modeLabel')}
          value={mode}
          onChange={choose}
          data={[
            { value: 'editor', label: t('modeEditor'), disabled: holdsTable || sanitise.isPending },
            { value: 'html', label: t('modeHtml') },
          ]}
        />
      </Group>
      {mode === 'editor' ? (
        <LazyBoundary fallback={<LoadingRows rows={1} height={248} />}>
          <RichEditor
            initialHtml={value}
            onChange={onChange}
            label={t('contentLabel')}
            invalid={Boolean(error)}
            onLinkBox={onLinkBox}
          />
        </LazyBoundary>
      ) : (
        <Textarea
          aria-label={t('contentLabel')}
          description={holdsTable ? `${t('hasTable')} ${t('htmlHint')}` : t('htmlHint')}
          inputWrapperOrder={['input', 'description']}
          styles={{ input: monospace }}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={10}
          maxRows={20}
          spellCheck={false}
          autoCapitalize="none"
          error={Boolean(error)}
        />
      )}
      {error && (
        <Input.Error mt={6} role="alert" data-fault tabIndex={-1}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}
