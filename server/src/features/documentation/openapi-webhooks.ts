import { identifierOf, webhookMessages } from '@classledger/contract';
import type { Json, SchemaCatalogue } from './openapi-schemas.ts';

export const deliveryHeaders: Readonly<Record<string, Json>> = {
  WebhookId: header(
    'webhook-id',
    'Identifies the message and stays the same when the server resends it. Handle each message once.',
    'msg_3_117_mf2k9zq8',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Reject messages that are more than five minutes old.',
    '1788398400',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures, separated by spaces. Each is `v1,` followed by the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. The key is the decoded base64 after `whsec_` in the secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

export function webhooksOf(tag: string, schemas: SchemaCatalogue): Json {
  return Object.fromEntries(
    webhookMessages.map(({ type, summary, description, permission, schema, example }) => {
      const requirement =
        permission === null ? '' : `The credential must have \`${permission}\` at the time of sending.`;
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
              204: {
                description: 'The delivery succeeded. Any 2xx status within 10 seconds counts as success.',
              },
              410: { description: 'The server stops the webhook.' },
              default: { description: 'The delivery failed, and the server retries it for three days.' },
            },
          },
        },
      ];
    }),
  );
}
