import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTempDirectory } from './support/clips.ts';
import { test } from './support/fake-webhook-receiver-test.ts';
import { isInstalled } from './support/is-installed.ts';
import { expect, openSignedIn } from './support/test.ts';

import { openPanel, signatureOf, register } from './support/webhook-pages.ts';
test('the code shown with the secret accepts deliveries and rejects changed ones', async ({
  page,
  service,
  receiver,
}) => {
  await openSignedIn(page, service, `/webhooks/${await register(service, receiver.url('/code'))}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await expect(page.getByRole('dialog')).toContainText('Both secrets are valid for 24 hours');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Show the secret' }).click();
  const secret = await page.getByText(/^whsec_[\w-]{20,}$/).innerText();
  const code = async (language: string) => {
    await page.getByRole('tab', { name: language }).click();
    return (await page.getByLabel(`${language} code`, { exact: true }).textContent()) ?? '';
  };
  await page.getByText('Code for the receiver', { exact: true }).click();
  const [typescript, python, shell] = [await code('TypeScript'), await code('Python'), await code('Shell')];
  await page.getByRole('checkbox', { name: 'I have stored it' }).check();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Two secrets are valid')).toBeVisible();

  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(openPanel(page).getByText('Delivered')).toBeVisible();
  const [received] = receiver.requestsAt('/code');
  if (!received) throw new Error('nothing was received');
  expect(signatureOf(received).match(/v1=/g)).toHaveLength(2);

  const folder = createTempDirectory();
  const preamble = "import { readFileSync } from 'node:fs';\nconst { HEADER = '', SECRET = '' } = process.env;\n";
  const run = "\nconsole.log(isGenuine(readFileSync('body.json'), HEADER, SECRET) ? 'genuine' : 'wrong');\n";
  writeFileSync(path.join(folder, 'check.ts'), preamble + typescript + run);
  const readBody = "\nimport os\nfile = open('body.json', 'rb').read()\n";
  const printResult = "print('genuine' if is_genuine(file, os.environ['HEADER'], os.environ['SECRET']) else 'wrong')\n";
  writeFileSync(path.join(folder, 'check.py'), python + readBody + printResult);
  writeFileSync(path.join(folder, 'check.sh'), shell);
  const env = { ...process.env, HEADER: signatureOf(received), SECRET: secret };
  const commands = [
    [process.execPath, 'check.ts'],
    ['python3', 'check.py'],
    ['sh', 'check.sh'],
  ] as const;
  for (const [body, word] of [
    [received.body, 'genuine'],
    [received.body.replace('evt_', 'evt_0'), 'wrong'],
  ] as const) {
    writeFileSync(path.join(folder, 'body.json'), body);
    for (const [program, file] of commands.filter(([program]) => isInstalled(program)))
      expect(execFileSync(program, [file], { cwd: folder, env }).toString().trim(), file).toBe(word);
  }
});
