package dev.shipshape.webhook.server;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/** Whom a certificate is for: its common name and its alternative names. */
final class CertificateNames {
  /** E-mail address, DNS name, URI: the kinds of alternative names that are texts. */
  private static final Set<Integer> TEXTS = Set.of(1, 2, 6);

  private CertificateNames() {}

  static Collection<String> of(X509Certificate certificate) throws CertificateParsingException {
    var names = new TreeSet<String>();
    try {
      for (var part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          names.add(part.getValue().toString());
        }
      }
    } catch (InvalidNameException e) {
      throw new CertificateParsingException("the subject cannot be read", e);
    }
    for (List<?> name :
        Objects.requireNonNullElse(certificate.getSubjectAlternativeNames(), Set.<List<?>>of())) {
      if (name.getFirst() instanceof Integer kind && TEXTS.contains(kind)) {
        names.add(String.valueOf(name.getLast()));
      }
    }
    return names;
  }
}
