import { BadgeCheck } from "lucide-react";
import { useTranslation } from "../../lib/speech";
import type { User } from "../../lib/api";
import "../../styles/fields.css";

/** The fields of a profile. A link whose page links back has a mark. */
export function ProfileFields({ of }: { of: NonNullable<User["fields"]> }) {
  const { t, i18n } = useTranslation("fields");
  return (
    <dl className="profilefields" aria-label={t("all")}>
      {of.map((field, at) => (
        <div key={at}>
          <dt dir="auto">{field.name}</dt>
          <dd dir="auto">
            {field.verifiedAt && (
              <span
                title={t("verified", {
                  when: new Date(field.verifiedAt).toLocaleDateString(i18n.language),
                })}
              >
                <BadgeCheck
                  size={18}
                  role="img"
                  aria-label={t("verified", {
                    when: new Date(field.verifiedAt).toLocaleDateString(i18n.language),
                  })}
                />
              </span>
            )}
            {field.link ? (
              <a href={field.value} target="_blank" rel="me nofollow noopener noreferrer">
                {field.value.replace(/^https?:\/\//, "")}
              </a>
            ) : (
              field.value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
