import '@mantine/tiptap/styles.layer.css';
import { Link, RichTextEditor } from '@mantine/tiptap';
import { useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useTexts } from '../../../i18n/texts.ts';
import { styleNonce } from '../../../theme/nonce.ts';
import { completeLink, isAllowedLink } from './announcement-html.ts';
import classes from './RichEditor.module.css';
import { texts } from './texts.ts';

/** Rejects links that the server's sanitiser would remove. Adds a missing https://. */
const AllowedLink = Link.extend({
  addCommands() {
    const inherited = this.parent?.();
    const setLink = inherited?.setLink;
    return {
      ...inherited,
      ...(setLink && {
        setLink: (attributes: Parameters<typeof setLink>[0]) =>
          setLink({ ...attributes, href: completeLink(attributes.href) }),
      }),
    };
  },
}).configure({
  openOnClick: false,
  HTMLAttributes: { rel: 'noopener noreferrer', target: '_blank' },
  isAllowedUri: (url) => isAllowedLink(url),
});

/** Numbered lists always start at 1, because the sanitiser removes another start. */
const StarterKitFromOne = StarterKit.extend({
  addExtensions() {
    return (this.parent?.() ?? []).map((extension) =>
      extension.name === 'orderedList' ? extension.extend({ addAttributes: () => ({}) }) : extension,
    );
  },
});

const extensions = [
  // The sanitiser allows all of these: paragraphs, headings, lists, quotations, code, lines and emphasis.
  StarterKitFromOne.configure({ link: false, trailingNode: false, heading: { levels: [1, 2, 3, 4] } }),
  AllowedLink,
];

interface RichEditorProps {
  readonly initialHtml: string;
  readonly onChange: (html: string) => void;
  readonly label: string;
  readonly invalid: boolean;
  /** Called when the field for a link opens or closes. While it is open, Escape closes only this field. */
  readonly onLinkBox: (opened: boolean) => void;
}

/** An editor that offers only elements allowed by the server's sanitiser. */
export default function RichEditor({ initialHtml, onChange, label, invalid, onLinkBox }: RichEditorProps) {
  const t = useTexts(texts);
  const editor = useEditor({
    extensions,
    content: initialHtml,
    injectNonce: styleNonce,
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? '' : changed.getHTML()),
  });
  return (
    <RichTextEditor
      editor={editor}
      withCodeHighlightStyles={false}
      classNames={{
        root: classes.root ?? '',
        toolbar: classes.toolbar ?? '',
        content: classes.content ?? '',
        control: classes.control ?? '',
        linkEditorInput: classes.address ?? '',
        linkEditorExternalControl: classes.external ?? '',
      }}
      data-invalid={invalid || undefined}
      labels={{
        boldControlLabel: t('bold'),
        italicControlLabel: t('italic'),
        underlineControlLabel: t('underline'),
        strikeControlLabel: t('strike'),
        h3ControlLabel: t('heading'),
        h4ControlLabel: t('subheading'),
        bulletListControlLabel: t('bulletList'),
        orderedListControlLabel: t('orderedList'),
        blockquoteControlLabel: t('quote'),
        hrControlLabel: t('rule'),
        linkControlLabel: t('link'),
        unlinkControlLabel: t('unlink'),
        linkEditorInputLabel: t('linkAddress'),
        linkEditorInputPlaceholder: t('linkExample'),
        linkEditorSave: t('linkSave'),
        clearFormattingControlLabel: t('clearFormatting'),
        undoControlLabel: t('undo'),
        redoControlLabel: t('redo'),
      }}
    >
      <RichTextEditor.Toolbar>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Underline />
          <RichTextEditor.Strikethrough />
          <RichTextEditor.ClearFormatting />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.H3 />
          <RichTextEditor.H4 />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Blockquote />
          <RichTextEditor.Hr />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Link
            popoverProps={{
              returnFocus: true,
              onOpen: () => onLinkBox(true),
              onClose: () => onLinkBox(false),
            }}
          />
          <RichTextEditor.Unlink />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
      </RichTextEditor.Toolbar>
      <RichTextEditor.Content />
    </RichTextEditor>
  );
}
