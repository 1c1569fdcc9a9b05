import { Card } from '#web/ui/card.tsx';
import { CodeBlock, CopyableCode } from '#web/ui/code-block.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';

/** Shows how assistants that speak the Model Context Protocol use this service. */
export function ConnectAssistant() {
  const url = `${window.location.origin}/mcp`;
  const config = {
    mcpServers: { emulsion: { type: 'http', url, headers: { Authorization: 'Bearer YOUR_KEY' } } },
  };
  return (
    <Card
      title="Connect an assistant (MCP)"
      description="Assistants such as Claude can create images and videos here. Prices are in the tools that they see, and they can do what their key may do."
    >
      <CopyableCode text={url} label="Copy MCP address" />
      <div className="mt-3">
        <Disclosure summary="Configuration">
          <p className="mb-2 text-sm text-ink-2">
            Add this to the configuration of your assistant, with a key of its own in place of YOUR_KEY.
          </p>
          <CodeBlock
            text={JSON.stringify(config, null, 2)}
            label="MCP configuration"
            copyLabel="Copy MCP configuration"
          />
        </Disclosure>
      </div>
    </Card>
  );
}
