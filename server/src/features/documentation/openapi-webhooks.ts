import { identifierOf, webhookMessages } from '@classledger/contract';
import type { Json, SchemaCatalogue } from './openapi-schemas.ts';

export const deliveryHeaders: Readonly<Record<string, Json>> = {
  WebhookId: header(
    'webhook-id',
    'Names the message: the same whenever it is sent again. Handle each once.',
    'msg_3_117_mf2k9zq8',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Refuse what is more than five minutes old.',
    '1788398400',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or several signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. The key is the base64 behind `whsec_` in the secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

export function webhooksOf(tag: string, schemas: SchemaCatalogue): Json {
  return Object.fromEntries(
    webhookMessages.map(({ type, summary, description, permission, schema, example }) => {
      const requirement = permission === null ? '' : `Sent while the credential has \`${permission}\`.`;
      return [
        type,
        {
          post: {
            operationId: `on${identifierOf(type)}`,
            tags: [tag],
            summary,
            description: [description, requirement].filter(Boolean).join('\n\n'),
            security: [],
            parameters: Object.keys(deliveryHeaders).map((name) => ({
              $ref: `#/components/parameters/${name}`,
            })),
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: schemas.publish(schema),
                  examples: { [type.replace('.', '_')]: { summary, value: example } },
                },
              },
            },
            responses: {
              204: { description: 'Taken. Any 2xx within 10 seconds will do.' },
              410: { description: 'Nothing more is wanted: the webhook is stopped.' },
              default: { description: 'Not taken: it is sent again, for three days.' },
            },
          },
        },
      ];
    }),
  );
}
