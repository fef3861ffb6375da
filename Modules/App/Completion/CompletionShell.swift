/// A shell with completions.
enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The completion script.
    ///
    /// The script asks the program for all completions. It must not expand them, because the names of types can come from
    /// other people; the scripts of the parser use `compgen -W`, which expands its words.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let bashScript = #"""
        # bash completion for trendy
        _trendy() {
            local program="${1/#\~/$HOME}" answer line
            COMPREPLY=()
            type -P -- "$program" >/dev/null || program=trendy
            answer="$("$program" __complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)" || return 0
            while IFS= read -r line; do
                case "$line" in
                    ':files') compopt -o filenames -o default; COMPREPLY=(); return 0 ;;
                    ':folders') compopt -o filenames -o dirnames; COMPREPLY=(); return 0 ;;
                    ':nospace') compopt -o nospace ;;
                    ?*) COMPREPLY+=("${line#=}") ;;
                esac
            done <<<"$answer"
        }
        complete -F _trendy trendy

        """#

    private static let zshScript = #"""
        #compdef trendy
        # zsh completion for trendy

        _trendy() {
            local line value about
            local -a lines whole wholeText open openText
            lines=("${(@f)$("${(Q)words[1]}" __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            for line in "${lines[@]}"; do
                case "$line" in
                    ':files') _files; return ;;
                    ':folders') _files -/; return ;;
                    '') continue ;;
                esac
                value="${line%%$'\t'*}"
                about="${line#*$'\t'}"
                [[ -n "$about" ]] && about="$value  -- $about" || about="$value"
                if [[ "$value" == *= ]]; then
                    open+=("$value"); openText+=("$about")
                else
                    whole+=("$value"); wholeText+=("$about")
                fi
            done
            (( $#whole )) && compadd -U -l -d wholeText -a whole
            (( $#open )) && compadd -U -l -S '' -d openText -a open
            (( $#whole + $#open ))
        }

        if [ "$funcstack[1]" = _trendy ]; then
            _trendy "$@"
        else
            compdef _trendy trendy
        fi

        """#

    private static let fishScript = #"""
        # fish completion for trendy
        function __trendy_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            for line in (command $words[1] __complete fish $words[2..-1] "$current" 2>/dev/null)
                switch $line
                    case ':files'
                        __fish_complete_path "$current"
                    case ':folders'
                        __fish_complete_directories "$current"
                    case '*'
                        printf '%s\n' $line
                end
            end
        end
        complete -c trendy -f -a '(__trendy_complete)'

        """#
}
