import { Card } from './card.tsx'
import { Secret } from './code.tsx'

/** A new one-time link, with which a person chooses a password. */
export const PasswordLinkCard = ({
  name,
  link,
  lifetime,
}: {
  readonly name: string
  readonly link: string
  /** `one hour` */
  readonly lifetime: string
}) => (
  <Card title={`Send ${name} this link`}>
    <Secret
      id="password-link"
      value={link}
      label="Password link"
      hint={`It works once, for ${lifetime}, and is not shown again.`}
    />
  </Card>
)
