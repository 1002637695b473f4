package dev.shipshape.webhook.config;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.service.BadSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSettingsTest {
  @Test
  void absentFieldsHaveDefaults() throws BadSettings {
    var settings = parse("guards: [{preset: nodeconfig}]");

    assertThat(settings.listen()).isEqualTo(new WebhookSettings.Address("0.0.0.0", 8443));
    assertThat(settings.management()).isEqualTo(new WebhookSettings.Address("0.0.0.0", 8080));
    assertThat(settings.scope()).isEqualTo(Scope.CLUSTER);
    assertThat(settings.guards())
        .singleElement()
        .satisfies(
            guard ->
                assertThat(guard.resource()).hasToString("nodeconfigs.network.schiff.telekom.de"));
  }

  @Test
  void everyFieldIsRead() throws BadSettings {
    var settings =
        parse(
            """
            listen: {host: 127.0.0.1, port: 0}
            management: {host: 127.0.0.2, port: 7}
            scope: node

            guards:
            - name: mine
              resource: {group: example.com, version: v1, plural: things, kind: Thing, namespaced: true}
              invalidWhen: {field: status.bad, equals: true}
              identity:
                content: spec
            """);

    assertThat(settings.listen()).isEqualTo(new WebhookSettings.Address("127.0.0.1", 0));
    assertThat(settings.management()).isEqualTo(new WebhookSettings.Address("127.0.0.2", 7));
    assertThat(settings.scope()).isEqualTo(Scope.NODE);
    assertThat(settings.guards()).extracting(guard -> guard.name()).containsExactly("mine");
    assertThat(settings.guards().getFirst().resource().namespaced()).isTrue();
  }

  @Test
  void everyMistakeIsToldAtOnceWithItsLine() {
    var problems =
        problems(
            """
            listen: {port: 70000}
            scope: galaxy
            colour: red
            knownInvalid: {keep: 0s}
            guards:
            - preset: nodeconfigs
            - name: mine
              resource: {group: example.com, version: v1, plural: things}
              identity:
                content: spec
                absent: [nothing]
                drop: ["a[0]"]
                secret: ["keys[]", spec.auth.password]
                spelling: {a.b: roman}
                sameAsAbsent: {vrf: }
                sorted:
                - {list: a, agreeing: b}
            - name: other
              resource: {group: example.com, version: v1, kind: Part, plural: parts}
              identity: {content: spec.template}
            """);

    assertThat(problems)
        .anySatisfy(line -> assertThat(line).startsWith("webhook.yaml:2: listen.port: "))
        .anySatisfy(line -> assertThat(line).startsWith("webhook.yaml:3: scope: "))
        .anySatisfy(line -> assertThat(line).startsWith("webhook.yaml:4: colour: unknown field"))
        .anySatisfy(line -> assertThat(line).contains("guards[0].preset: no preset nodeconfigs"))
        .anySatisfy(line -> assertThat(line).contains("guards[1].resource.kind: is required"))
        .anySatisfy(
            line -> assertThat(line).contains("guards[1].identity.absent[0]: must be one of"))
        .anySatisfy(line -> assertThat(line).contains("guards[1].identity.drop[0]: not a path"))
        .anySatisfy(line -> assertThat(line).contains("guards[1].identity.spelling.a.b: must be"))
        .anySatisfy(line -> assertThat(line).contains("identity.sameAsAbsent.vrf: must have a"))
        .anySatisfy(line -> assertThat(line).contains("knownInvalid.keep: must be more than 0"))
        .anySatisfy(line -> assertThat(line).contains("guards[1].identity.sorted[0].agreeing"))
        .anySatisfy(line -> assertThat(line).contains("or else stampOnly"))
        .anySatisfy(line -> assertThat(line).contains("secret[0]: keys[] names the elements"))
        .anySatisfy(line -> assertThat(line).contains("secret[1]: ", "leave out \"spec\""))
        .anySatisfy(line -> assertThat(line).contains("guards[2].identity.content: must be"))
        .hasSize(16);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          stampOnly: true, revisions: {guard: nobody, field: spec.revision} | nobody
          # What has worked would never be known.
          invalidWhen: {field: status.state, equals: failed}, rollout: {process: {group: example.com, version: v1, plural: rollouts, kind: Rollout}, goingOnWhen: {field: status.state, equals: running}, serviceAccount: 'system:serviceaccount:things:operator'} | rollout: needs records or provisionedWhen
          # As in kubectl's JSONPath.
          invalidWhen: {field: .status.state, equals: failed} | invalidWhen.field: must be field
          invalidWhen: {field: "conditions[0].status", equals: "False"} | invalidWhen.field: must not name an element of a list
          """)
  void aGuardThatCannotBeMeantIsAMistake(String fields, String problem) {
    var guard =
        "guards: [{name: mine, resource: {group: example.com, version: v1, plural: things, kind:"
            + " Thing}, identity: {content: spec}, %s}]";

    assertThat(problems(guard.formatted(fields))).singleElement().asString().contains(problem);
  }

  @Test
  void noGuardIsAMistake() {
    assertThat(problems("scope: node"))
        .singleElement()
        .asString()
        .contains("guards: must name at least one guard");
  }

  @Test
  void revisionsHaveOneKindOfNodesObjects() {
    var nodes =
        """
        - name: %1$s
          stampOnly: true
          resource: {group: example.com, version: v1, plural: %1$s, kind: Thing}
          identity: {content: spec}
          revisions: {guard: nodeconfig, field: spec.revision}
        """;
    var both = nodes.formatted("a") + nodes.formatted("b");

    assertThat(problems("guards:\n- preset: nodeconfig\n" + both))
        .singleElement()
        .asString()
        .contains("two guards have the same revisions.guard: nodeconfig");
  }

  /** Operators write true and numbers as texts too. */
  @Test
  void aConditionHoldsForTheTextOfItsValue() throws BadSettings {
    var guard =
        parse(
                """
                guards:
                - name: mine
                  resource: {group: example.com, version: v1, plural: things, kind: Thing}
                  identity: {content: spec}
                  invalidWhen: {field: status.worked, equals: "false"}
                """)
            .guards()
            .getFirst();

    assertThat(guard.statusOf(json("{spec: {a: 1}, status: {worked: false}}")))
        .isEqualTo(ConfigStatus.INVALID);
    assertThat(guard.statusOf(json("{spec: {a: 1}, status: {worked: 'false'}}")))
        .isEqualTo(ConfigStatus.INVALID);
    assertThat(guard.statusOf(json("{spec: {a: 1}, status: {worked: 'no'}}")))
        .isEqualTo(ConfigStatus.UNDECIDED);
    assertThat(guard.statusOf(json("{spec: {a: 1}, status: {worked: 0}}")))
        .isEqualTo(ConfigStatus.UNDECIDED);
  }

  @ParameterizedTest
  @CsvSource({
    "'', secrets, secrets",
    "'', pods, pods",
    "'', events, events",
    "coordination.k8s.io, leases, leases.coordination.k8s.io"
  })
  void whatIsNeverStampedIsNeverGuarded(String group, String plural, String refused) {
    var problems =
        problems(
            """
            guards:
            - name: mine
              stampOnly: true
              resource: {group: '%s', version: v1, plural: %s, kind: Any}
              identity: {content: spec}
            """
                .formatted(group, plural));

    assertThat(problems)
        .singleElement()
        .asString()
        .contains("guards: " + refused + " are refused: ");
  }

  @Test
  void aStampedResourceIsWrittenAsKubectlNamesIt() throws BadSettings {
    var settings =
        parse(
            """
            guards: [{preset: nodeconfig}]
            stamp: [{resource: widgets.example.com, status: true}, {resource: configmaps}]
            """);

    assertThat(settings.stamp())
        .containsExactly(
            new StampedResource("widgets.example.com", true),
            new StampedResource("configmaps", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "*.example.com",
        "secrets",
        "pods",
        "leases.coordination.k8s.io",
        "events",
        "events.events.k8s.io",
        "pods/status",
        "Widgets.example.com",
        "widgets.",
        ""
      })
  void whatMustNotBeStampedIsRefusedWithFileLineAndField(String resource) {
    var problems =
        problems(
            """
            guards: [{preset: nodeconfig}]
            stamp:
            - {resource: widgets.example.com, status: true}
            - {resource: "%s"}
            """
                .formatted(resource));

    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("webhook.yaml:5: stamp[1].resource: ")
        .contains(resource);
  }

  private static List<String> problems(String yaml) {
    return catchThrowableOfType(BadSettings.class, () -> parse(yaml)).problems();
  }

  private static WebhookSettings parse(String yaml) throws BadSettings {
    return WebhookSettings.parse("webhook.yaml", "apiVersion: shipshape.dev/v1\n" + yaml);
  }
}
