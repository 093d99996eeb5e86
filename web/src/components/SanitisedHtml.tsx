import { Typography } from '@mantine/core';

/** Shows HTML that the server has sanitised, such as an announcement's content; never anything else. */
export function SanitisedHtml({ html }: { readonly html: string }) {
  return (
    <Typography>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server when it was stored */}
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </Typography>
  );
}
